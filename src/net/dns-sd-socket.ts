// The UDP socket below the SDK's DNS-SD: nothing throws out of it, and no packet gets through on which the SDK's parser would hang.

import UdpSocket, { type Datagram, type Udp } from "../sdk/udp.js";

/** A larger packet does not come in one piece. */
const MAX_PACKET_BYTES = 1472;
/** The questions and records of a packet; the SDK looks for each from the beginning. */
const MAX_ENTRIES = 32;
const MAX_NAME_BYTES = 255;
/** The packets that are looked at within a second; a network full of them costs no more. */
const MAX_PER_SECOND = 20;
const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_PTR = 12;
const TYPE_SRV = 33;

export interface DnsSdSocketOptions {
	readonly port: number;
	readonly target: unknown;
	readonly onReadable: (this: DnsSdSocket, count: number) => void;
}

/** As much of ECMA-419's UDP socket as the SDK's DNS-SD uses. */
export class DnsSdSocket {
	readonly target: unknown;
	readonly #udp: Udp;
	/** What `read` gives: the packet that is being told of. */
	#packet: Datagram | undefined;
	#group: string | undefined;
	#second = 0;
	#count = 0;

	/** @throws Error when the port cannot be had */
	constructor({ port, target, onReadable }: DnsSdSocketOptions) {
		this.target = target;
		this.#udp = new UdpSocket({
			port,
			onReadable: (count) => {
				for (; count > 0; count--) {
					try {
						const packet = this.#udp.read();
						if (!packet || !this.#hasTime() || !isReadable(new Uint8Array(packet))) continue;
						this.#packet = packet;
						onReadable.call(this, 1);
					} catch {
						// Whoever gets no answer asks again.
					}
				}
			},
		});
	}

	read(): Datagram | undefined {
		const packet = this.#packet;
		this.#packet = undefined;
		return packet;
	}

	/** @throws Error when it cannot be sent, which the SDK catches */
	write(packet: ArrayBufferLike, address: string, port: number): void {
		this.#udp.write(packet, address, port);
	}

	/** Joins a group. Where the platform cannot, only what is sent to this address comes. */
	add(group: string): void {
		this.#udp.add?.(group);
		this.#group = group;
	}

	/** May be called twice. */
	close(): void {
		try {
			if (this.#group !== undefined) this.#udp.remove?.(this.#group);
		} catch {
			// The network may be gone.
		}
		this.#group = undefined;
		this.#udp.close();
	}

	#hasTime(): boolean {
		const second = Math.floor(Date.now() / 1000);
		if (second !== this.#second) this.#count = 0;
		this.#second = second;
		return ++this.#count <= MAX_PER_SECOND;
	}
}

/** Has a packet all that it says that it has, and do its names end (RFC 1035, section 4.1)? */
export function isReadable(bytes: Uint8Array): boolean {
	const length = bytes.byteLength;
	if (length < HEADER_BYTES || length > MAX_PACKET_BYTES) return false;
	const questions = uint16(bytes, 4);
	const entries = questions + uint16(bytes, 6) + uint16(bytes, 8) + uint16(bytes, 10);
	if (entries > MAX_ENTRIES) return false;
	let at = HEADER_BYTES;
	for (let entry = 0; entry < entries; entry++) {
		at = endOfName(bytes, at);
		if (at < 0) return false;
		if (entry < questions) {
			at += 4;
			if (at > length) return false;
			continue;
		}
		const data = at + 10;
		if (data > length) return false;
		const type = uint16(bytes, at);
		at = data + uint16(bytes, at + 8);
		if (at > length) return false;
		if (type === TYPE_A && at !== data + 4) return false;
		if (type === TYPE_PTR && endOfName(bytes, data) !== at) return false;
		if (type === TYPE_SRV && endOfName(bytes, data + 6) !== at) return false;
	}
	return true;
}

/** Behind the name at this place; below 0 where it does not end. Each reference has to lead further back than the one before. */
function endOfName(bytes: Uint8Array, from: number): number {
	let end = -1;
	let at = from;
	let before = from;
	for (let left = MAX_NAME_BYTES; left > 0; ) {
		const size = bytes[at];
		if (size === undefined) return -1;
		if (size === 0) return end < 0 ? at + 1 : end;
		if (size < 0x40) {
			at += 1 + size;
			left -= 1 + size;
			continue;
		}
		const to = uint16(bytes, at) & 0x3fff;
		if (size < 0xc0 || to >= before || to < HEADER_BYTES) return -1;
		if (end < 0) end = at + 2;
		before = to;
		at = to;
	}
	return -1;
}

function uint16(bytes: Uint8Array, at: number): number {
	return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
