// What the parts of one network connection (name lookup, sockets, transport) share.

import type { Timers } from "../base/timers.js";

/** How far a connection has come; it tells what a plain "error" from below means. What a transport waits for is its own. */
export type Stage = "looking up the name" | "connecting" | "waiting for TLS" | `waiting for the ${string}` | "open";

/** A part that holds something to release at the end, or holds data back while the transport is busy. */
export interface ConnectionPart {
	/** Resumes delivery after a pause. @returns false while it holds something back that came before what is below it */
	flow?(): boolean;
	close(): void;
}

export interface ConnectionStateOptions {
	readonly timers: Timers;
	/** Host header: host, and port where it is not the default. */
	readonly authority?: string;
	/** Takes what comes; what it says of `paused` is asked each time. Never paused, where this is not given. */
	readonly reader?: Reader;
}

/** Whoever takes what a connection brings. */
export interface Reader {
	/** Can it take no more for now? */
	readonly paused: boolean;
}

/** One connection's shared state: the SDK's classes stand between the parts and pass no details on. */
export class ConnectionState {
	readonly timers: Timers;
	/** Host header: host, and port where it is not the default. */
	readonly authority: string;
	stage: Stage = "looking up the name";
	/** Why the connection ended, in words; the first reason is the cause and stays. */
	reason: string | undefined;
	/** How often something has come from below, each time in a turn of its own. */
	events = 0;
	/** Bytes still to come of the frame or packet that has begun, where a part knows it. */
	due = 0;
	#parts: ConnectionPart[] = [];
	readonly #reader: Reader | undefined;

	constructor({ timers, authority = "", reader }: ConnectionStateOptions) {
		this.timers = timers;
		this.authority = authority;
		this.#reader = reader;
	}

	get paused(): boolean {
		return this.#reader?.paused ?? false;
	}

	setReason(reason: string): void {
		this.reason ??= reason;
	}

	/** Parts may join from the network upwards or as they are made. */
	join(part: ConnectionPart): void {
		this.#parts.push(part);
	}

	/** A part that has nothing left to release. */
	leave(part: ConnectionPart): void {
		const at = this.#parts.indexOf(part);
		if (at >= 0) this.#parts.splice(at, 1);
	}

	/** Lets held data go on, the part nearest to the transport first. */
	flow(): void {
		for (let i = this.#parts.length - 1; i >= 0 && !this.paused; i--) if (this.#parts[i]?.flow?.() === false) break;
	}

	/** Closes every part, whatever state the SDK's classes are in. */
	close(): void {
		const parts = this.#parts;
		this.#parts = [];
		for (const part of parts) part.close();
	}
}

/** The reason for an end that nothing below explained: it depends on how far the connection had come. */
export function lostReason({ stage }: ConnectionState, { host, port }: { readonly host: string; readonly port: number }): string {
	switch (stage) {
		case "looking up the name":
			return `no address found for ${host}`;
		case "connecting":
			return `could not connect to ${host}:${port}`;
		case "waiting for TLS":
			return "the server ended the connection during the TLS handshake";
		default:
			return "the connection was lost";
	}
}
