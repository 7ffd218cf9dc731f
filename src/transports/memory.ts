// A pair of linked transports in memory, for tests of what lies above a transport.

import { CONGESTED_BYTES, type Connect, MAX_INBOUND_BYTES, MAX_QUEUED_BYTES, type Transport, type TransportCallbacks } from "./transport.js";

/** Two ends of one connection. It opens when both have been connected. */
export interface MemoryLink {
	readonly left: Connect;
	readonly right: Connect;
	/** Stops delivery to one end, as if its peer's bytes were on the way for long. */
	hold(end: "left" | "right"): void;
	/** Takes delivery to that end up again. */
	release(end: "left" | "right"): void;
}

/** Makes a link. Messages arrive in later turns, one per turn, whole and in order. */
export function createMemoryLink(): MemoryLink {
	const ends: { left: MemoryTransport | undefined; right: MemoryTransport | undefined } = { left: undefined, right: undefined };
	const held = { left: false, right: false };
	const connector =
		(side: "left" | "right", other: "left" | "right"): Connect =>
		(callbacks) => {
			if (ends[side]) throw new TypeError("this end is connected already");
			const end = new MemoryTransport(callbacks);
			end.held = held[side];
			ends[side] = end;
			const peer = ends[other];
			if (peer) {
				end.link(peer);
				peer.link(end);
			}
			return end;
		};
	const setHeld = (side: "left" | "right", value: boolean) => {
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
	};
}

const later = (act: () => void): void => {
	Promise.resolve().then(act);
};

class MemoryTransport implements Transport {
	held = false;
	#callbacks: TransportCallbacks | undefined;
	#peer: MemoryTransport | undefined;
	#open = false;
	/** Messages on the way to this end. */
	#arriving: Uint8Array[] = [];
	#arrivingBytes = 0;
	#scheduled = false;
	/** Set when the peer is gone: what is on the way still arrives. */
	#end: string | undefined;

	constructor(callbacks: TransportCallbacks) {
		this.#callbacks = callbacks;
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
			this.#callbacks.onOpen();
			this.flow();
		});
	}

	send(text: string): void {
		if (!this.#open || !this.#peer || this.#end !== undefined) return;
		const bytes = new Uint8Array((ArrayBuffer as unknown as { fromString(text: string): ArrayBuffer }).fromString(text));
		this.#peer.arrive(bytes);
		if (this.#peer && this.#peer.waitingBytes > MAX_QUEUED_BYTES) {
			const reason = `the peer does not read: ${this.#peer.waitingBytes} bytes wait to go out`;
			this.#peer.end("the connection was lost");
			this.end(reason);
		}
	}

	close(): void {
		if (!this.#callbacks) return;
		this.#callbacks = undefined;
		this.#open = false;
		const peer = this.#peer;
		this.#peer = undefined;
		peer?.end("closed by the peer: 1000 normal closure");
	}

	arrive(bytes: Uint8Array): void {
		if (!this.#callbacks || bytes.byteLength > MAX_INBOUND_BYTES || bytes.byteLength === 0) return;
		this.#arriving.push(bytes);
		this.#arrivingBytes += bytes.byteLength;
		this.flow();
	}

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
			const callbacks = this.#callbacks;
			if (!callbacks || this.held) return;
			const next = this.#open && !this.congested ? this.#arriving.shift() : undefined;
			if (next) {
				this.#arrivingBytes -= next.byteLength;
				callbacks.onMessage(next);
				// The peer may have waited for this room.
				this.#peer?.flow();
				this.flow();
			} else if (this.#end !== undefined && (this.#arriving.length === 0 || !this.#open)) {
				this.#callbacks = undefined;
				this.#open = false;
				callbacks.onClose(this.#end);
			}
		});
	}
}
