// Stands between the SDK's WebSocket client and its TCP or TLS socket: corrects the upgrade request and checks what comes.

import { base64, latin1, latin1Bytes } from "../base/bytes.js";
import { HeadReader, type ResponseHead } from "../http/response-head.js";
import { SafeSocket } from "../net/safe-socket.js";
import { Digest } from "../sdk/crypt.js";
import { statusText } from "./upgrade-status.js";
import { FrameHeaderChecker } from "./websocket-frames.js";

/** A connection's stage from the request to the answer. */
export const WAITING_FOR_UPGRADE = "waiting for the upgrade";

const HEAD = Object.freeze({
	names: Object.freeze(["upgrade", "connection", "sec-websocket-accept", "sec-websocket-extensions", "location"]),
	maxBytes: 4096,
	tooLong: "the server's answer to the upgrade is too long",
});
/** Appended to the client's key, it makes the server's accept key (RFC 6455, section 1.3). */
const ACCEPT_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/**
 * Looks to the client like a TCP socket, with the promises of `SafeSocket` and these:
 *
 * - The client's request is sent with exactly `Connection: Upgrade` and in as many pieces as the socket takes.
 * - The response is read here; the client gets a clean one, or an error after the reason has been noted.
 * - Frame headers are checked before the client sees them.
 */
export class UpgradeSocket extends SafeSocket {
	private requested = false;
	private key = "";
	private head: HeadReader | undefined = new HeadReader(HEAD);
	private frames = new FrameHeaderChecker();

	override write(data: Uint8Array | ArrayBuffer): number {
		if (this.requested) return super.write(data);
		this.requested = true;
		this.connection.stage = WAITING_FOR_UPGRADE;
		const { request, key } = rewriteRequest(data instanceof Uint8Array ? data : new Uint8Array(data), this.connection.authority);
		this.key = key;
		return this.send(request);
	}

	protected override take(chunk: Uint8Array): string | undefined {
		let bytes = chunk;
		if (this.head) {
			const head = this.head.take(chunk);
			if (typeof head !== "object") return head;
			const accept = acceptKey(this.key);
			const problem = upgradeProblem(head, accept);
			if (problem) return problem;
			this.head = undefined;
			this.key = "";
			this.connection.stage = "open";
			this.received.push(cleanHead(accept));
			bytes = head.rest;
		}
		if (bytes.byteLength > 0) {
			const problem = this.frames.inspect(bytes);
			if (problem) return `the server broke the protocol: ${problem}`;
			this.received.push(bytes);
			this.connection.due = this.frames.payload;
		}
		return undefined;
	}
}

/**
 * Corrects two headers of the SDK's client: `Connection: keep-alive, Upgrade`, which some servers refuse with 200, and
 * `Host` without the port. Also returns the key that the client chose.
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

/** Why this is no upgrade, in words; undefined for a good one. */
function upgradeProblem({ status, phrase, values }: ResponseHead, expected: string): string | undefined {
	const [upgrade, connection, accept, extensions, location] = values;
	if (status !== 101) return `the server answered ${statusText(status, phrase, location)}`;
	const upgrades = connection?.split(",").some((token) => token.trim().toLowerCase() === "upgrade");
	if (upgrade?.toLowerCase() !== "websocket" || !upgrades || !accept) return "the server answered 101 without the headers of a WebSocket upgrade";
	if (extensions) return `the server uses an extension that was not asked for: ${extensions}`;
	return accept === expected ? undefined : "the server answered 101 with a wrong Sec-WebSocket-Accept";
}

/** The answer to a key (RFC 6455, section 4.2.2). */
function acceptKey(key: string): string {
	const digest = new Digest("SHA1");
	digest.write(ArrayBuffer.fromString(key + ACCEPT_GUID));
	return base64(new Uint8Array(digest.close()));
}

/** The client wants a reason phrase and `Connection: Upgrade` alone, and reads byte by byte: it gets just that. */
function cleanHead(accept: string): Uint8Array {
	return latin1Bytes(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
}
