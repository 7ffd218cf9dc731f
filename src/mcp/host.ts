// What the conversation with one peer needs of the server, and the server of it.

import type { Dialect } from "./dialect.js";
import type { Tool } from "./tool.js";

/** One-shot timers; Moddable's `timer` module has this shape. */
export interface Timers {
	/** Calls back once after `delay` milliseconds. */
	set(callback: () => void, delay: number): unknown;
	/** Forgets a timer; undefined is allowed. */
	clear(timer: unknown): void;
}

/** What one reply to `tools/list` carries. */
export interface ListedTools {
	/** The tools' entries with their commas, most of them in flash. */
	readonly texts: readonly string[];
	/** The length of these entries in bytes of UTF-8. */
	readonly bytes: number;
	/** The cursor of the next page; "" at the end. */
	readonly next: string;
}

/** An answer to a request about resources. */
export type ResourceAnswer =
	| {
			/** The result's members as JSON text. */
			readonly result: string;
			/** What follows it, where that is large: texts that are not joined. */
			readonly texts?: readonly string[];
			/** May a client of the modern revision keep it for a while? */
			readonly cacheable: boolean;
	  }
	| {
			/** What is wrong with the parameters: one sentence. */
			readonly problem: string;
	  };

/** Takes what it has subscribed to. */
export interface Subscriber {
	/**
	 * Sends a notification.
	 * @param params members of its params as JSON text
	 * @param key the request of the modern revision that asked for it, or the subscriber itself
	 */
	tell(method: string, params: string, key: object): void;
}

/** The resources of a server. */
export interface Resources {
	/** A member of `capabilities` that begins with a comma. */
	readonly capability: string;
	/** @returns undefined for a method that has nothing to do with resources; a promise, which rejects with an Error in plain words, for what takes time */
	answer(method: string, params: { readonly [name: string]: unknown }, subscriber: Subscriber): ResourceAnswer | Promise<ResourceAnswer> | undefined;
	/**
	 * Subscribes in the modern revision.
	 * @param key the request
	 * @returns the member of the acknowledgement as JSON text, "" for none
	 */
	listen(subscriber: Subscriber, key: object, notifications: { readonly [name: string]: unknown }): string;
	/** A request that listened is over, or a subscriber has gone. */
	forget(key: object): void;
}

/** The server, as the conversations see it. */
export interface Host<B> {
	/** What the tools work on. */
	readonly board: B;
	readonly timers: Timers;
	readonly log: (line: string) => void;
	/** `serverInfo` as JSON text. */
	readonly serverInfo: string;
	/** `instructions` as a JSON member that begins with a comma, or "". */
	readonly instructions: string;
	/** Undefined where there are none. */
	readonly resources: Resources | undefined;
	/** How many calls of all peers wait for a promise now. */
	readonly running: number;
	/** The most calls of one peer within a second; any number where it is not given, or 0. */
	readonly callsPerSecond?: number | undefined;
	/** A call has begun to wait for its promise, or no longer does. */
	countRunning(change: 1 | -1): void;
	/**
	 * The tool of that name, or undefined. Underscores may stand for the dots.
	 * @param withUserTools also one that is hidden from the model
	 */
	find(name: string, withUserTools?: boolean): Tool<B> | undefined;
	/**
	 * One page of `tools/list`.
	 * @param cursor "" for the first page
	 * @param full with titles, hints and output schemas
	 * @returns undefined for an unknown cursor
	 */
	page(cursor: string, withUserTools: boolean, dialect: Dialect, full: boolean): ListedTools | undefined;
	/** The peer listens from now on and can be given what has waited for one. */
	listens(peer: Peer): void;
	/** The conversation with that peer is over. */
	closed(peer: Peer): void;
}

/** The member names that a peer's messages may have; a parser that can leave out the others is given these. */
export interface Names {
	/** All of them. */
	readonly knownNames: readonly string[];
	/** Those of a call without `_meta`; undefined where that has no list of its own. */
	readonly callNames?: readonly string[] | undefined;
}

/** One peer, as the server sees it. */
export interface Peer {
	/** @returns false when this peer does not listen */
	notify(method: string, params?: { readonly [key: string]: unknown }): boolean;
	/** The list of tools has changed. */
	listChanged(): void;
}
