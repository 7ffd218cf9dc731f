// Checks the frame headers that a WebSocket server sends (RFC 6455, section 5) before the SDK's client sees them.

/** The largest payload length that the SDK's client computes without overflow. */
const MAX_FRAME_BYTES = 0x7fff_ffff;

const OPENING_BRACE = 0x7b;
/** Its version and its type, each in two bytes; then reserved, a time and the length, each in four. */
const HEAD_2_BYTES = 16;
/** Its type and something reserved, each in one byte; then the length in two. */
const HEAD_3_BYTES = 4;
const TYPE_JSON = 1;

/**
 * How long the head of a binary message is that carries JSON, as some servers of the xiaozhi family wrap it (binary protocol, versions 2
 * and 3); 0 for audio and anything else.
 * @param bytes the beginning of the message
 */
export function jsonHeadBytes(bytes: Uint8Array): number {
	if (bytes[0] === 0 && bytes[1] === 2 && bytes[2] === 0 && bytes[3] === TYPE_JSON && bytes[HEAD_2_BYTES] === OPENING_BRACE) return HEAD_2_BYTES;
	return bytes[0] === TYPE_JSON && bytes[1] === 0 && bytes[HEAD_3_BYTES] === OPENING_BRACE ? HEAD_3_BYTES : 0;
}

/**
 * Follows the stream of frames, remembering only the header that it is in. The SDK's client accepts masked
 * frames, miscomputes lengths from 2^31 on and then waits for ever; so bad headers must not reach it.
 */
export class FrameHeaderChecker {
	/** How many bytes of a header have come, its first two, and the length in those behind them. */
	private have = 0;
	private first = 0;
	private second = 0;
	private length = 0;
	/** Bytes still to come of the frame. */
	payload = 0;
	private inMessage = false;

	/** Looks at the next bytes. Returns what is wrong with them in words, or undefined. */
	inspect(bytes: Uint8Array): string | undefined {
		let at = 0;
		while (at < bytes.byteLength) {
			if (this.payload > 0) {
				const skip = Math.min(this.payload, bytes.byteLength - at);
				this.payload -= skip;
				at += skip;
				continue;
			}
			const byte = bytes[at++] ?? 0;
			if (this.have === 0) this.first = byte;
			else if (this.have === 1) this.second = byte;
			else this.length = this.length * 256 + byte;
			this.have++;
			if (this.have < 2) continue;
			const short = this.second & 0x7f;
			if (this.have < (short < 126 ? 2 : short === 126 ? 4 : 10)) continue;
			const problem = this.check(short);
			if (problem) return problem;
			this.have = 0;
			this.length = 0;
		}
		return undefined;
	}

	private check(short: number): string | undefined {
		const first = this.first;
		const opcode = first & 0x0f;
		const last = (first & 0x80) !== 0;
		if (first & 0x70) return "a frame with reserved bits";
		if (this.second & 0x80) return "a masked frame from the server";
		if (opcode >= 8) {
			if (opcode > 10) return `a control frame of unknown kind ${opcode}`;
			if (!last || short > 125) return "a control frame in pieces or over 125 bytes";
		} else if (opcode === 0) {
			if (!this.inMessage) return "a continuation of no message";
			this.inMessage = !last;
		} else {
			if (opcode > 2) return `a frame of unknown kind ${opcode}`;
			if (this.inMessage) return "a new message inside another";
			this.inMessage = !last;
		}
		const length = short < 126 ? short : this.length;
		if (length > MAX_FRAME_BYTES) return "a frame of more than 2 GB";
		this.payload = length;
		return undefined;
	}
}
