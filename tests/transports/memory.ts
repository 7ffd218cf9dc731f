// A pair of linked transports in memory, for tests of what lies above a transport.

import { errorText, oneLine } from "base/text";
import Timer from "timer";
import type { TextMessage } from "../../src/net/outbound-message.js";
import {
	CONGESTED_BYTES,
	type Connect,
	MAX_INBOUND_BYTES,
	MAX_QUEUED_BYTES,
	type Transport,
	type TransportCallbacks,
} from "../../src/transports/transport.js";

type Side = "left" | "right";

/** Two ends of one connection. It opens when both have been connected. */
export interface MemoryLink {
	readonly left: Connect;
	readonly right: Connect;
	/** Stops delivery to one end, as if that peer did not read. */
	hold(end: Side): void;
	/** Takes delivery to that end up again. */
	release(end: Side): void;
	/** Ends the connection as if the cable had been pulled: both ends are told. */
	cut(): void;
}

export interface MemoryLinkOptions {
	/** Takes lines about what was dropped, as other transports' logs do. */
	readonly log?: ((line: string) => void) | undefined;
	/** The largest message that the right end takes, where it plays a server; `MAX_INBOUND_BYTES` when absent. */
	readonly rightLimitBytes?: number | undefined;
}

/** Makes a link. Messages arrive in later turns, one per turn, whole and in order. */
export function createMemoryLink({ log = () => {}, rightLimitBytes = MAX_INBOUND_BYTES }: MemoryLinkOptions = {}): MemoryLink {
	const ends: { [side in Side]?: MemoryTransport } = {};
	const held = { left: false, right: false };
	const connector =
		(side: Side, other: Side): Connect =>
		(callbacks) => {
			if (ends[side]) throw new TypeError("this end is connected already");
			const end = new MemoryTransport(callbacks, log, side === "right" ? rightLimitBytes : MAX_INBOUND_BYTES);
			end.held = held[side];
			ends[side] = end;
			const peer = ends[other];
			if (peer) {
				end.link(peer);
				peer.link(end);
			}
			return end;
		};
	const setHeld = (side: Side, value: boolean) => {
		held[side] = value;
		const end = ends[side];
		if (!end) return;
		end.held = value;
		end.flow();
	};
	return {
		left: connector("left", "right"),
		right: connector("right", "left"),
		hold: (side) => setHeld(side, true),
		release: (side) => setHeld(side, false),
		cut() {
			for (const end of [ends.left, ends.right]) end?.end("the connection was lost");
		},
	};
}

/** Behind whatever promises the last delivery has set off. */
const later = (act: () => void): void => {
	Timer.set(act, 1);
};

class MemoryTransport implements Transport {
	held = false;
	readonly #log: (line: string) => void;
	readonly #limitBytes: number;
	#callbacks: TransportCallbacks | undefined;
	#peer: MemoryTransport | undefined;
	#open = false;
	/** Messages on the way to this end. */
	#arriving: Uint8Array[] = [];
	#arrivingBytes = 0;
	#scheduled = false;
	/** Set when the peer is gone: what is on the way still arrives. */
	#end: string | undefined;

	constructor(callbacks: TransportCallbacks, log: (line: string) => void, limitBytes: number) {
		this.#callbacks = callbacks;
		this.#log = log;
		this.#limitBytes = limitBytes;
	}

	get congested(): boolean {
		return (this.#peer?.waitingBytes ?? 0) >= CONGESTED_BYTES;
	}

	get waitingBytes(): number {
		return this.#arrivingBytes;
	}

	link(peer: MemoryTransport): void {
		this.#peer = peer;
		later(() => {
			if (!this.#callbacks) return;
			this.#open = true;
			this.#tell("onOpen", (callbacks) => callbacks.onOpen());
			this.flow();
		});
	}

	send(text: string): void {
		const peer = this.#peer;
		if (!this.#open || !peer || this.#end !== undefined) return;
		const bytes = new Uint8Array((ArrayBuffer as unknown as { fromString(text: string): ArrayBuffer }).fromString(text));
		const waiting = peer.waitingBytes + bytes.byteLength;
		if (waiting > MAX_QUEUED_BYTES) {
			peer.end("the connection was lost");
			this.end(`the peer does not read: ${waiting} bytes wait to go out`);
		} else peer.arrive(bytes);
	}

	sendTexts({ head, texts, tail }: TextMessage): void {
		this.send(head.concat(...texts, tail));
	}

	close(): void {
		if (!this.#callbacks) return;
		this.#callbacks = undefined;
		this.#open = false;
		const peer = this.#peer;
		this.#peer = undefined;
		peer?.end("closed by the peer: 1000 normal closure");
	}

	/** Takes a message of the peer. */
	arrive(bytes: Uint8Array): void {
		if (!this.#callbacks) return;
		this.#arriving.push(bytes);
		this.#arrivingBytes += bytes.byteLength;
		this.flow();
	}

	/** Ends the connection behind what is on the way. */
	end(reason: string): void {
		this.#end ??= reason;
		this.#peer = undefined;
		this.flow();
	}

	/** Delivers the next message in a later turn, unless held or congested. */
	flow(): void {
		if (this.#scheduled || !this.#callbacks) return;
		this.#scheduled = true;
		later(() => {
			this.#scheduled = false;
			if (!this.#callbacks || (this.held && this.#end === undefined)) return;
			const next = this.#open && !this.congested ? this.#arriving.shift() : undefined;
			if (next) {
				const peer = this.#peer;
				this.#arrivingBytes -= next.byteLength;
				if (next.byteLength > this.#limitBytes) this.#log(`a message of ${next.byteLength} bytes was dropped: the limit is ${this.#limitBytes}`);
				else if (next.byteLength > 0 || this.#limitBytes > MAX_INBOUND_BYTES) this.#tell("onMessage", (callbacks) => callbacks.onMessage(next));
				// The peer may have waited for this room.
				peer?.flow();
				this.flow();
			} else if (this.#end !== undefined && (this.#arriving.length === 0 || !this.#open)) {
				const reason = this.#end;
				this.#open = false;
				this.#tell("onClose", (callbacks) => callbacks.onClose(reason));
				this.#callbacks = undefined;
			}
		});
	}

	#tell(name: keyof TransportCallbacks, act: (callbacks: TransportCallbacks) => void): void {
		if (!this.#callbacks) return;
		try {
			act(this.#callbacks);
		} catch (thrown) {
			this.#log(oneLine(`${name} threw ${errorText(thrown)}`));
		}
	}
}
