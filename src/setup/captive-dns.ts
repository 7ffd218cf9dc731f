// Answers every DNS query with the device's own address, so that a phone finds the set-up page by itself.

import UdpSocket, { type Udp } from "../sdk/udp.js";

export const DNS_PORT = 53;

const HEADER_BYTES = 12;
/** What DNS allows without extensions (RFC 1035, section 2.3.4). */
const MAX_PACKET_BYTES = 512;
const TYPE_A = 1;
const CLASS_IN = 1;
/** Short, so that a phone asks again once it is back in its own network. */
const TTL_S = 10;

export interface CaptiveDnsOptions {
	/** The answer to everything, an IPv4 address. */
	address: string;
	port: number;
	log(line: string): void;
}

/** It answers from the constructor until `close`. */
export class CaptiveDns {
	#udp: Udp | undefined;

	/** A socket that cannot be opened costs a line in the log: the page can still be reached by its address. */
	constructor({ address, port, log }: CaptiveDnsOptions) {
		const octets = address.split(".").map(Number);
		try {
			this.#udp = new UdpSocket({
				port,
				onReadable: (count) => {
					for (; count > 0; count--) {
						try {
							const packet = this.#udp?.read();
							const answer = packet && answerTo(new Uint8Array(packet), octets);
							if (answer) this.#udp?.write(answer.buffer, packet.address, packet.port);
						} catch {
							// A phone without an answer asks again.
						}
					}
				},
			});
		} catch (error) {
			log(`setup: names are not answered: ${(error as Error).message}`);
		}
	}

	/** May be called twice. */
	close(): void {
		const udp = this.#udp;
		this.#udp = undefined;
		udp?.close();
	}
}

/** The answer to a query; undefined for anything else. A query for anything but an IPv4 address gets an empty answer. */
export function answerTo(query: Uint8Array, octets: readonly number[]): Uint8Array | undefined {
	if (query.byteLength < HEADER_BYTES + 5 || query.byteLength > MAX_PACKET_BYTES) return undefined;
	const isQuery = ((query[2] ?? 0) & 0xf8) === 0;
	if (!isQuery || query[4] !== 0 || query[5] !== 1) return undefined;
	let at = HEADER_BYTES;
	for (let length = query[at] ?? 0; length !== 0; length = query[at] ?? 0) {
		if (length > 63) return undefined;
		at += length + 1;
		if (at >= query.byteLength) return undefined;
	}
	const end = at + 5;
	if (end > query.byteLength) return undefined;
	const type = ((query[at + 1] ?? 0) << 8) | (query[at + 2] ?? 0);
	const answers = type === TYPE_A && query[at + 4] === CLASS_IN;
	// Extensions after the question are left out.
	const answer = new Uint8Array(end + (answers ? 16 : 0));
	answer.set(query.subarray(0, end));
	answer[2] = 0x84 | ((query[2] ?? 0) & 1);
	answer[3] = 0;
	answer.set([0, 1, 0, answers ? 1 : 0, 0, 0, 0, 0], 4);
	if (answers) answer.set([0xc0, HEADER_BYTES, 0, TYPE_A, 0, CLASS_IN, 0, 0, 0, TTL_S, 0, 4, ...octets.slice(0, 4)], end);
	return answer;
}
