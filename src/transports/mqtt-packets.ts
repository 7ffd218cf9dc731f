// Checks the packets that an MQTT broker sends (MQTT 3.1.1, OASIS standard) before the SDK's client sees them.

import { utf8Bytes } from "../base/bytes.js";
import { MAX_TOPIC_BYTES } from "../net/mqtt-topic.js";
import type { ReceiveBuffer } from "../net/receive-buffer.js";
import { MAX_INBOUND_BYTES, MAX_PASSED_OVER_BYTES } from "./transport.js";

const CONNACK = 2;
const PUBLISH = 3;
const PUBREL = 6;
const SUBACK = 9;
const PINGRESP = 13;
/** Acknowledgements of what this side never sends: QoS 1 and 2, UNSUBSCRIBE. */
const UNEXPECTED: readonly number[] = Object.freeze([4, 5, 7, 11]);

/** Section 3.2.2.3. */
const REFUSALS: readonly string[] = Object.freeze([
	"",
	"unacceptable protocol version",
	"client identifier rejected",
	"server unavailable",
	"bad user name or password",
	"not authorised",
]);

/** A packet's type and its length of at most four bytes, and of a message the length of its topic; the topic follows. */
const LONGEST_HEADER_BYTES = 7;
const RETAINED = 1;

/**
 * Follows the stream of packets, keeping only the header that it is in. What the SDK's client cannot handle does not
 * reach it: a message without bytes stops its parser for good, acknowledgements and topics grow its buffers as the broker
 * likes, and after a refusal it goes on reading a closed socket. Nor does a retained message, which was meant for somebody else
 * or for an earlier life of the device, nor one on a topic that was not subscribed to.
 */
export class PacketFilter {
	readonly #log: (line: string) => void;
	readonly #header: Uint8Array;
	readonly #topic: Uint8Array | undefined;
	#have = 0;
	/** Bytes still to come of the packet whose header was looked at. */
	left = 0;
	#passing = false;
	/** How many packets have come whole. */
	packets = 0;
	#connected = false;

	/** @param topic the only one that messages may have; absent for a broker that sends without a subscription */
	constructor(log: (line: string) => void, topic?: string) {
		this.#log = log;
		this.#topic = topic === undefined ? undefined : utf8Bytes(topic);
		this.#header = new Uint8Array(LONGEST_HEADER_BYTES + (this.#topic?.byteLength ?? 0));
	}

	/** Passes on what is good of the next bytes. Returns what is wrong with them in words, or undefined. */
	take(bytes: Uint8Array, out: ReceiveBuffer): string | undefined {
		let at = 0;
		while (at < bytes.byteLength) {
			if (this.left > 0) {
				const count = Math.min(this.left, bytes.byteLength - at);
				if (this.#passing) out.push(bytes.subarray(at, at + count));
				this.left -= count;
				if (this.left === 0) this.packets++;
				at += count;
				continue;
			}
			this.#header[this.#have++] = bytes[at++] ?? 0;
			const problem = this.look(out);
			if (problem) return problem;
		}
		return undefined;
	}

	private look(out: ReceiveBuffer): string | undefined {
		const header = this.#header;
		const kind = (header[0] as number) >> 4;
		const flags = (header[0] as number) & 0x0f;
		if (!this.#connected && header[0] !== CONNACK << 4) return `the server does not speak MQTT: it begins with byte ${header[0]}`;
		let length = 0;
		let body = 1;
		for (let more = true; more; body++) {
			if (body >= this.#have) return undefined;
			if (body > 4) return `${BROKEN}: a length of more than four bytes`;
			const byte = header[body] as number;
			length += (byte & 0x7f) * 128 ** (body - 1);
			more = (byte & 0x80) !== 0;
		}
		const have = this.#have - body;
		switch (kind) {
			case CONNACK: {
				if (length !== 2) return `${BROKEN}: an answer to CONNECT of ${length} bytes`;
				if (this.#connected) return `${BROKEN}: a second answer to CONNECT`;
				if (have < 2) return undefined;
				const code = header[body + 1] as number;
				if (code !== 0) return `the broker refused: ${code} ${REFUSALS[code] ?? "unknown code"}`;
				this.#connected = true;
				return this.finish(out, true, 0);
			}
			case PUBLISH: {
				const around = 2 + (flags & 0x06 ? 2 : 0);
				if ((flags & 0x06) === 0x06 || length < around) return `${BROKEN}: a malformed message`;
				if (have < 2) return undefined;
				const topicBytes = ((header[body] as number) << 8) | (header[body + 1] as number);
				const bytes = length - around - topicBytes;
				if (topicBytes === 0 || bytes < 0) return `${BROKEN}: a message without a topic`;
				if (bytes > MAX_PASSED_OVER_BYTES) return `a message of ${bytes} bytes, at most ${MAX_PASSED_OVER_BYTES} are passed over`;
				const expected = this.#topic;
				const comparable = !expected || topicBytes === expected.byteLength;
				if (expected && comparable && have < 2 + topicBytes) return undefined;
				const left = length - have;
				if (flags & RETAINED) {
					this.#log("a retained message was dropped");
					return this.finish(out, false, left);
				}
				if (!comparable || expected?.some((byte, i) => byte !== header[body + 2 + i])) {
					this.#log("a message on another topic than the subscribed one was dropped");
					return this.finish(out, false, left);
				}
				if (bytes > MAX_INBOUND_BYTES) this.#log(`a message of ${bytes} bytes was dropped: the limit is ${MAX_INBOUND_BYTES}`);
				else if (topicBytes > MAX_TOPIC_BYTES) this.#log(`a message on a topic of ${topicBytes} bytes was dropped: the limit is ${MAX_TOPIC_BYTES}`);
				return this.finish(out, bytes > 0 && bytes <= MAX_INBOUND_BYTES && topicBytes <= MAX_TOPIC_BYTES, left);
			}
			case SUBACK:
				if (length !== 3) return `${BROKEN}: an answer to SUBSCRIBE of ${length} bytes`;
				return this.finish(out, true, length);
			case PUBREL:
				if (length !== 2 || flags !== 2) return `${BROKEN}: a malformed release`;
				return this.finish(out, true, length);
			case PINGRESP:
				if (length !== 0) return `${BROKEN}: an answer to a ping of ${length} bytes`;
				return this.finish(out, true, 0);
			default:
				if (!UNEXPECTED.includes(kind) || length !== 2) return `${BROKEN}: a packet of kind ${kind}`;
				return this.finish(out, false, length);
		}
	}

	/** The header is good; `left` bytes of the packet follow it. */
	private finish(out: ReceiveBuffer, pass: boolean, left: number): undefined {
		if (pass) out.push(this.#header.slice(0, this.#have));
		this.#have = 0;
		this.#passing = pass;
		this.left = left;
		if (left === 0) this.packets++;
	}
}

const BROKEN = "the broker broke the protocol";
