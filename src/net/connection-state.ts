// What the parts of one network connection (name lookup, sockets, transport) know in common.

/** How far a connection has come; it tells what a plain "error" from below means. */
export type Stage =
	| "looking up the name"
	| "connecting"
	| "waiting for TLS"
	| "waiting for the upgrade"
	| "waiting for the broker's answer"
	| "waiting for the subscription"
	| "open";

/** A part that holds something to release at the end, or data back while the transport is busy. */
export interface ConnectionPart {
	/** Takes up delivery again after a pause. */
	flow?(): void;
	close(): void;
}

/** One connection's shared state: the SDK's classes stand between the parts and let no details through. */
export class ConnectionState {
	/** Host header: host, and port where it is not the default. */
	readonly authority: string;
	stage: Stage = "looking up the name";
	/** Why the connection ended, in words; the first reason is the cause and stays. */
	reason: string | undefined;
	#parts: ConnectionPart[] = [];
	readonly #isPaused: () => boolean;

	/** @param isPaused tells whether the transport can take no more messages for now */
	constructor(authority: string, isPaused: () => boolean) {
		this.authority = authority;
		this.#isPaused = isPaused;
	}

	get paused(): boolean {
		return this.#isPaused();
	}

	setReason(reason: string): void {
		this.reason ??= reason;
	}

	/** Parts join from the network upwards or in the order of time; both work. */
	join(part: ConnectionPart): void {
		this.#parts.push(part);
	}

	/** Lets held data go on, what is nearest to the transport first. */
	flow(): void {
		for (let i = this.#parts.length - 1; i >= 0 && !this.paused; i--) this.#parts[i]?.flow?.();
	}

	/** Closes every part, whatever state the SDK's classes are in. */
	close(): void {
		const parts = this.#parts;
		this.#parts = [];
		for (const part of parts) part.close();
	}
}
