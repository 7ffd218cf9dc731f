// Stands between the SDK's WebSocket client and its TCP or TLS socket: puts the upgrade right and checks what comes.

import { oneLine } from "../base/text.js";
import { statusText } from "../http/status-text.js";
import { SafeSocket } from "../net/safe-socket.js";
import { base64, sha1 } from "./sha1.js";
import { FrameHeaderChecker } from "./websocket-frames.js";

/** A response head longer than this is refused. */
export const MAX_HEAD_BYTES = 4096;
/** Joined to the client's key, it makes the server's accept key (RFC 6455, section 1.3). */
const ACCEPT_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/**
 * Looks to the client like a TCP socket, with the promises of `SafeSocket` and these:
 *
 * - The client's request is sent with exactly `Connection: Upgrade` and in as many pieces as the socket takes.
 * - The response is read here; the client gets a spotless one, or an error after the reason has been noted.
 * - Frame headers are checked before the client sees them.
 */
export class UpgradeSocket extends SafeSocket {
	#requested = false;
	#key = "";
	#head: Uint8Array | undefined = new Uint8Array(0);
	#frames = new FrameHeaderChecker();

	override write(data: Uint8Array | ArrayBuffer): number {
		if (this.#requested) return super.write(data);
		this.#requested = true;
		this.watch.stage = "waiting for the upgrade";
		const { request, key } = rewriteRequest(data instanceof Uint8Array ? data : new Uint8Array(data), this.watch.authority);
		this.#key = key;
		return this.send(request);
	}

	override close(): void {
		this.#head = undefined;
		super.close();
	}

	protected override take(chunk: Uint8Array): string | undefined {
		let bytes = chunk;
		if (this.#head) {
			const head = new Uint8Array(this.#head.byteLength + chunk.byteLength);
			head.set(this.#head);
			head.set(chunk, this.#head.byteLength);
			this.#head = head;
			const end = endOfHead(head);
			if (end < 0) return headProblem(head);
			if (end > MAX_HEAD_BYTES) return "the server's answer to the upgrade is too long";
			const answer = readHead(head.subarray(0, end));
			if (typeof answer === "string") return answer;
			if (answer.accept !== base64(sha1(this.#key + ACCEPT_GUID))) return "the server answered 101 with a wrong Sec-WebSocket-Accept";
			this.#head = undefined;
			this.watch.stage = "open";
			this.inbox.push(cleanHead(answer.accept));
			bytes = head.subarray(end);
		}
		if (bytes.byteLength > 0) {
			const problem = this.#frames.inspect(bytes);
			if (problem) {
				this.inbox.clear();
				return `the server broke the protocol: ${problem}`;
			}
			this.inbox.push(bytes);
		}
		return undefined;
	}
}

/**
 * Puts the two headers right that the SDK's client writes in its own way: `Connection: keep-alive, Upgrade`, which some
 * servers refuse with 200, and `Host` without the port. Also returns the key that the client chose.
 */
function rewriteRequest(bytes: Uint8Array, authority: string): { request: Uint8Array; key: string } {
	const lines = latin1(bytes).split("\r\n");
	let key = "";
	for (let i = 1; i < lines.length; i++) {
		const line = lines[i] ?? "";
		const name = line.slice(0, line.indexOf(":")).toLowerCase();
		if (name === "connection") lines[i] = "Connection: Upgrade";
		else if (name === "host") lines[i] = `Host: ${authority}`;
		else if (name === "sec-websocket-key") key = line.slice(name.length + 1).trim();
	}
	return { request: latin1Bytes(lines.join("\r\n")), key };
}

/** Where the head ends: behind its empty line; −1 when that has not come. */
function endOfHead(bytes: Uint8Array): number {
	for (let i = 3; i < bytes.byteLength; i++) {
		if (bytes[i] === 10 && bytes[i - 1] === 13 && bytes[i - 2] === 10 && bytes[i - 3] === 13) return i + 1;
	}
	return -1;
}

/** What is already wrong with a head that has not come in full. */
function headProblem(head: Uint8Array): string | undefined {
	const start = latin1(head.subarray(0, 5));
	if (start !== "HTTP/".slice(0, start.length)) return `the server does not speak HTTP: "${oneLine(latin1(head.subarray(0, 40)))}"`;
	return head.byteLength > MAX_HEAD_BYTES ? "the server's answer to the upgrade is too long" : undefined;
}

/** Reads a response head. Returns the accept key, or what is wrong in words. */
function readHead(head: Uint8Array): { accept: string } | string {
	const problem = headProblem(head.subarray(0, 5));
	if (problem) return headProblem(head) ?? problem;
	const lines = latin1(head).split("\r\n");
	const line = lines[0] ?? "";
	const space = line.indexOf(" ");
	const status = Number.parseInt(line.slice(space + 1, space + 4), 10);
	if (space < 0 || !(status >= 100 && status <= 999)) return `the server's answer has no status: "${oneLine(line, 60)}"`;

	let upgrade = false;
	let connection = false;
	let accept: string | undefined;
	let location: string | undefined;
	let extensions = "";
	for (let i = 1; i < lines.length; i++) {
		const text = lines[i] ?? "";
		const colon = text.indexOf(":");
		if (colon < 0) continue;
		const value = text.slice(colon + 1).trim();
		switch (text.slice(0, colon).trim().toLowerCase()) {
			case "upgrade":
				upgrade = value.toLowerCase() === "websocket";
				break;
			case "connection":
				connection ||= value
					.toLowerCase()
					.split(",")
					.some((token) => token.trim() === "upgrade");
				break;
			case "sec-websocket-accept":
				accept = value;
				break;
			case "sec-websocket-extensions":
				extensions = value;
				break;
			case "location":
				location = value;
				break;
		}
	}
	if (status !== 101) return `the server answered ${statusText(status, line.slice(space + 4).trim(), location)}`;
	if (!upgrade || !connection || !accept) return "the server answered 101 without the headers of a WebSocket upgrade";
	if (extensions) return `the server uses an extension that was not asked for: ${extensions}`;
	return { accept };
}

/** The client wants a reason phrase and `Connection: Upgrade` alone, and reads byte by byte: it gets just that. */
function cleanHead(accept: string): Uint8Array {
	return latin1Bytes(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
}

/** Bytes as characters of the same number, so that whatever they are they come back unharmed. */
function latin1(bytes: Uint8Array): string {
	let text = "";
	for (let i = 0; i < bytes.byteLength; i++) text += String.fromCharCode(bytes[i] ?? 0);
	return text;
}

function latin1Bytes(text: string): Uint8Array {
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
	return bytes;
}
