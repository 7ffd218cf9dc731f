// What a page and the worker with a simulated machine say to each other.
import type { Preferences } from "../host.js";
import type { PartDescription } from "../parts.js";

/** The one server in the network of a page; it is the page itself. */
export const SERVER = Object.freeze({ name: "page.local", address: "127.0.0.1", port: 80 });

/** To the worker. */
export type ToWorker =
	| { kind: "start"; firmware: string; config: Readonly<Record<string, unknown>>; preferences: Preferences }
	| { kind: "input"; part: string; input: Readonly<Record<string, unknown>> }
	| { kind: "data"; socket: number; bytes: Uint8Array }
	| { kind: "end"; socket: number };

/** From the worker. */
export type FromWorker =
	| { kind: "trace"; text: string }
	| { kind: "describe"; part: string; description: PartDescription }
	| { kind: "show"; part: string; state: unknown }
	| { kind: "open"; socket: number }
	| { kind: "write"; socket: number; bytes: Uint8Array }
	| { kind: "close"; socket: number }
	/** The worker runs nothing more: the page ends it, and starts another with these settings. */
	| { kind: "restart"; preferences: Preferences }
	/** The worker runs nothing more. */
	| { kind: "failed"; reason: string };
