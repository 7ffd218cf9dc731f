// What the checks of the examples are given: a running board, and the backend that it is connected to.

import type { expect } from "@jest/globals";

// biome-ignore lint/suspicious/noExplicitAny: messages and states are looked into freely
type Any = any;

/** A board under test. */
export interface Bench {
	expect: typeof expect;
	/** Calls a tool. @returns the text of its result; rejects with its error */
	call(tool: string, args?: object): Promise<string>;
	/** Calls a tool. @returns its whole result */
	result(tool: string, args?: object): Promise<Any>;
	/** Sends a request, or without an id a notification. */
	send(method: string, params: object, id?: number): void;
	/** The next message of the device that passes, parsed; those before it are dropped. */
	message(passes: (message: Any) => boolean): Promise<Any>;
	/** Does something to a simulated part, such as `{ pressed: true }` to "button0". */
	input(part: string, input: Readonly<Record<string, unknown>>): void;
	/** Restarts the board. @returns the same of its next life */
	restart(): Promise<Bench>;
	/** Waits until the board's state, as the page of `npm start` shows it, passes. */
	shown(passes: (state: Any) => boolean): Promise<void>;
}
