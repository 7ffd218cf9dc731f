// The server's end of a WebSocket (RFC 6455) over bytes, for the one client that a page has: the firmware in its worker.

import { Digest } from "../../../simulator/runtime/crypt.js";
import { decodeText, encodeText } from "../../../simulator/runtime/frame.js";

const MAX_HEAD_BYTES = 8192;
/** No message of a device is longer; more is cut off by ending the connection. */
const MAX_MESSAGE_BYTES = 64 * 1024;

const FINAL = 0x80;
const MASKED = 0x80;
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const EMPTY = new Uint8Array(0);

export interface ServerSocketOptions {
	/** Sends bytes to the client. */
	write(bytes: Uint8Array): void;
	/** The connection stands; these are the headers of the request, their names in lower case. */
	onOpen(headers: ReadonlyMap<string, string>): void;
	onText(text: string): void;
	/** The connection is over, whoever ended it; called once. */
	onClose(reason: string): void;
}

export class ServerSocket {
	readonly #options: ServerSocketOptions;
	#bytes: Uint8Array = EMPTY;
	/** The message so far, whose last frame is still to come. */
	#message: Uint8Array = EMPTY;
	#isText = false;
	#isOpen = false;
	#over = false;

	constructor(options: ServerSocketOptions) {
		this.#options = options;
	}

	receive(bytes: Uint8Array): void {
		if (this.#over) return;
		this.#bytes = joined(this.#bytes, bytes);
		if (!this.#isOpen) this.#upgrade();
		while (this.#isOpen && !this.#over && this.#readFrame());
	}

	send(text: string): void {
		this.#write(TEXT, encodeText(text));
	}

	close(code: number, reason = ""): void {
		if (this.#over) return;
		this.#over = true;
		this.#options.write(frame(CLOSE, joined(Uint8Array.of(code >> 8, code & 255), encodeText(reason))));
		this.#options.onClose(reason || `closed with code ${code}`);
	}

	/** There is nothing more to come. */
	closed(reason: string): void {
		if (this.#over) return;
		this.#over = true;
		this.#options.onClose(reason);
	}

	#upgrade(): void {
		const text = decodeText(this.#bytes.subarray(0, MAX_HEAD_BYTES));
		const end = text.indexOf("\r\n\r\n");
		if (end < 0) {
			if (this.#bytes.length > MAX_HEAD_BYTES) this.closed("the request is too long");
			return;
		}
		const head = text.slice(0, end + 4);
		this.#bytes = this.#bytes.slice(encodeText(head).length);
		const fields = [...head.matchAll(/^([\w-]+): *(.*?) *\r$/gm)].map(([, name = "", value = ""]) => [name.toLowerCase(), value] as const);
		const headers = new Map(fields);
		const digest = new Digest("SHA1");
		digest.write(encodeText(`${headers.get("sec-websocket-key")}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).slice().buffer);
		const accept = btoa(String.fromCharCode(...new Uint8Array(digest.close())));
		const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${accept}`, "", ""];
		this.#options.write(encodeText(lines.join("\r\n")));
		this.#isOpen = true;
		this.#options.onOpen(headers);
	}

	/** @returns false when the next frame is not there yet */
	#readFrame(): boolean {
		const bytes = this.#bytes;
		const [first = 0, second = 0] = bytes;
		const short = second & 127;
		const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
		const start = 2 + extended + (second & MASKED ? 4 : 0);
		if (bytes.length < Math.max(2, start)) return false;
		const length = extended ? bytes.subarray(2, 2 + extended).reduce((sum, byte) => sum * 256 + byte, 0) : short;
		if (length > MAX_MESSAGE_BYTES) {
			this.close(1009, "the message is too long");
			return false;
		}
		if (bytes.length < start + length) return false;
		const payload = bytes.slice(start, start + length);
		if (second & MASKED) {
			const mask = bytes.subarray(start - 4, start);
			for (const [at, byte] of payload.entries()) payload[at] = byte ^ (mask[at & 3] as number);
		}
		this.#bytes = bytes.slice(start + length);
		this.#take(first & 15, (first & FINAL) !== 0, payload);
		return true;
	}

	#take(opcode: number, final: boolean, payload: Uint8Array): void {
		if (opcode === PING) return this.#write(PONG, payload);
		if (opcode === CLOSE) return this.close(1000, "the device closed the connection");
		if (opcode === PONG) return;
		if (opcode !== 0) this.#isText = opcode === TEXT;
		this.#message = joined(this.#message, payload);
		if (this.#message.length > MAX_MESSAGE_BYTES) return this.close(1009, "the message is too long");
		if (!final) return;
		const message = this.#message;
		this.#message = EMPTY;
		// Binary messages are audio; the page has no ears.
		if (this.#isText) this.#options.onText(decodeText(message));
	}

	#write(opcode: number, payload: Uint8Array): void {
		if (!this.#over) this.#options.write(frame(opcode, payload));
	}
}

function frame(opcode: number, payload: Uint8Array): Uint8Array {
	const { length } = payload;
	const size = length < 126 ? [length] : length < 65536 ? [126, length >> 8, length & 255] : [127, 0, 0, 0, 0, ...bytesOf(length)];
	return joined(Uint8Array.of(FINAL | opcode, ...size), payload);
}

const bytesOf = (length: number) => [length >>> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255];

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
	const whole = new Uint8Array(a.length + b.length);
	whole.set(a);
	whole.set(b, a.length);
	return whole;
}
