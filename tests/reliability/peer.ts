// A server that misbehaves as it is told, over TCP or TLS, and from then on passes its clients to a good server.

import { createHash } from "node:crypto";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import mqttPacket from "mqtt-packet";
import { type Certificate, makeCertificate, readCertificate } from "../support/certificates.mjs";

/** What a device connects to. */
export type Column = "session" | "endpoint" | "mqtt" | "framed" | "configuration" | "firmware";

/** What is wrong with a server. */
export interface Misbehaviour {
	/**
	 * How far the server is good: until the connection stands, until something has come, until the client's first request
	 * has come whole, until it has let the client in, or until the session is ready. "request" where it is not given.
	 */
	readonly after?: "connection" | "bytes" | "request" | "welcome" | "ready";
	/** What it sends then; nothing where it is not given. */
	readonly sends?: Buffer | string;
	/** Does it send a byte each second, or all of it over and over again? All at once where it is not given. */
	readonly pace?: "byte by byte" | "for ever";
	/** What it does behind that; it keeps the connection where it is not given. */
	readonly ends?: "end" | "reset";
}

const names = ["localhost", "127.0.0.1"];
const day = (days: number) => new Date(Date.now() + days * 86_400_000);

const { MODDABLE_CA } = process.env;
/** The CA that the device trusts; the one that `npm run test:moddable` has built into it, or any. */
export const ownCa = MODDABLE_CA ? readCertificate(JSON.parse(MODDABLE_CA)) : makeCertificate({ name: "Own CA", authority: true });

const good = makeCertificate({ name: "localhost", names, issuer: ownCa, key: "rsa" });

/** Certificates that a server may show, the first of them good. */
export const CERTIFICATES = {
	good,
	"signed by itself": makeCertificate({ name: "localhost", names, key: "rsa" }),
	"of a CA that nobody knows": makeCertificate({
		name: "localhost",
		names,
		key: "rsa",
		issuer: makeCertificate({ name: "Stranger", authority: true }),
	}),
	"for another name": makeCertificate({ name: "elsewhere", names: ["example.com"], issuer: ownCa, key: "rsa" }),
	expired: makeCertificate({ name: "localhost", names, issuer: ownCa, key: "rsa", from: day(-60), to: day(-30) }),
} satisfies Record<string, Certificate>;

export type CertificateName = keyof typeof CERTIFICATES;

const frameOf = (first: number, payload: Buffer) => Buffer.concat([Buffer.from([first, payload.byteLength]), payload]);

/** A WebSocket text message of at most 125 bytes. */
export const webSocketText = (text: string) => frameOf(0x81, Buffer.from(text));

/** A WebSocket close frame. */
export const webSocketClose = (code: number, reason: string) =>
	frameOf(0x88, Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]));

/** The topics of the device. */
export const TOPICS = { fromDevice: "devices/one/up", toDevice: "devices/one/down" };

/** A message of the broker for the device. */
export const publication = (text: string) =>
	mqttPacket.generate({ cmd: "publish", topic: TOPICS.toDevice, payload: text, qos: 0, dup: false, retain: false });

/** A frame of the framed service. */
export const framedMessage = (kind: number, task: string, body: string) => Buffer.from(`##START${String.fromCharCode(kind)}${task}0000${body}##END`);

/** An answer over HTTP/1.1. */
export const http = (status: string, body = "", headers: readonly string[] = ["Content-Type: text/plain"]) =>
	[`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`, "Connection: close", "", body].join("\r\n");

const HELLO = JSON.stringify({ type: "hello", transport: "websocket", session_id: "s" });
const PING = JSON.stringify({ jsonrpc: "2.0", id: "p", method: "ping" });

/**
 * How a good server goes on from the client's first request: what it says to let the client in, what it says to make it
 * ready, and how it knows that it may.
 */
interface Manners {
	/** Is the client's first request here? Returns the answer that lets it in. */
	welcome(received: Buffer): Buffer | undefined;
	/** Has the client gone on from there? Returns what makes it ready. */
	ready(received: Buffer): Buffer | undefined;
}

function upgrade(received: Buffer): Buffer | undefined {
	const head = received.toString("latin1");
	const key = /^Sec-WebSocket-Key: (.+)\r$/im.exec(head)?.[1];
	if (!key || !head.includes("\r\n\r\n")) return undefined;
	const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
	return Buffer.from(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
}

/** Is a frame behind the upgrade request? */
const hasFrame = (received: Buffer) => received.indexOf("\r\n\r\n") + 4 < received.byteLength;

function mqttPackets(received: Buffer): { cmd: string; messageId?: number | undefined }[] {
	const packets: { cmd: string; messageId?: number | undefined }[] = [];
	const parser = mqttPacket.parser();
	parser.on("packet", (packet) => packets.push(packet));
	parser.on("error", () => {});
	parser.parse(received);
	return packets;
}

const CONNACK = Buffer.from([0x20, 2, 0, 0]);

/** The whole request of a client over HTTP is here. */
function isWhole(received: Buffer): boolean {
	const text = received.toString("latin1");
	const end = text.indexOf("\r\n\r\n");
	const length = Number(/^content-length: (\d+)\r$/im.exec(text)?.[1] ?? 0);
	return end >= 0 && received.byteLength >= end + 4 + length;
}

const web: Manners = {
	welcome: (received) => (isWhole(received) ? Buffer.alloc(0) : undefined),
	ready: () => Buffer.alloc(0),
};

const MANNERS: { readonly [column in Column]: Manners } = {
	session: { welcome: upgrade, ready: (received) => (hasFrame(received) ? webSocketText(HELLO) : undefined) },
	endpoint: { welcome: upgrade, ready: () => webSocketText(PING) },
	mqtt: {
		welcome: (received) => (mqttPackets(received).some(({ cmd }) => cmd === "connect") ? CONNACK : undefined),
		ready(received) {
			const packets = mqttPackets(received);
			const subscription = packets.find(({ cmd }) => cmd === "subscribe");
			if (!subscription) return undefined;
			const { messageId = 0 } = subscription;
			return Buffer.concat([Buffer.from([0x90, 3, messageId >> 8, messageId & 255, 0]), publication(HELLO)]);
		},
	},
	framed: {
		welcome: (received) => (received.includes("##END") ? framedMessage(1, "00000000", "##INFO:OK") : undefined),
		// It has registered its tools then, and nothing of it is on the way any more.
		ready: (received) => (received.includes("##PING") ? Buffer.alloc(0) : undefined),
	},
	configuration: web,
	firmware: web,
};

/** What time it is for the device, and a second of it. */
export interface Seconds {
	now(): number;
	/** Calls back each second. @returns what ends that */
	each(act: () => void): () => void;
}

export interface PeerOptions {
	readonly column: Column;
	/** Where the good server is. */
	readonly port: number;
	readonly seconds: Seconds;
	/** Any where it is not given. */
	readonly ownPort?: number | undefined;
	/** What is wrong with it at first. */
	readonly fault?: Misbehaviour | undefined;
	/** Given for a server that speaks TLS while something is wrong with it. */
	readonly certificate?: CertificateName | undefined;
	/** Does it speak TLS when it is good? */
	readonly secure?: boolean | undefined;
}

/** A server that may change its ways. */
export class Peer {
	/** When clients came, and whether each is still there. */
	readonly connections: { readonly at: number; open: boolean }[] = [];
	readonly #options: PeerOptions;
	readonly #server: Server;
	readonly #sockets = new Set<Socket>();
	#fault: Misbehaviour | undefined;
	#certificate: CertificateName | undefined;
	#port = 0;

	static async listen(options: PeerOptions): Promise<Peer> {
		const peer = new Peer(options);
		await peer.#listen(options.ownPort ?? 0);
		return peer;
	}

	private constructor(options: PeerOptions) {
		this.#options = options;
		const { certificate, fault, secure } = options;
		// Nobody gets further who is shown a bad certificate.
		this.#fault = fault ?? (certificate ? {} : undefined);
		this.#certificate = this.#fault ? certificate : secure ? "good" : undefined;
		this.#server = createServer((socket) => {
			const connection = { at: options.seconds.now(), open: true };
			this.connections.push(connection);
			socket.on("close", () => {
				connection.open = false;
			});
			this.#keep(socket);
			this.#serve(this.#certificate ? this.#secure(socket, CERTIFICATES[this.#certificate]) : socket);
		});
	}

	get port(): number {
		return this.#port;
	}

	/** Lets nobody in until it is mended. */
	async leave(): Promise<void> {
		for (const socket of this.#sockets) socket.destroy();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	/** From now on it is good to whom comes. */
	async mend(): Promise<void> {
		this.#fault = undefined;
		this.#certificate = this.#options.secure ? "good" : undefined;
		if (!this.#server.listening) await this.#listen(this.#port);
	}

	async close(): Promise<void> {
		if (this.#server.listening) await this.leave();
	}

	async #listen(port: number): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			this.#server.once("error", reject);
			this.#server.listen(port, "127.0.0.1", () => resolve());
		});
		this.#port = (this.#server.address() as AddressInfo).port;
	}

	#keep(socket: Socket): void {
		this.#sockets.add(socket);
		socket.on("error", () => {});
		socket.on("close", () => this.#sockets.delete(socket));
		socket.setNoDelay(true);
	}

	#secure(socket: Socket, { key, pem }: Certificate): Socket {
		const secure = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext({ key, cert: pem, maxVersion: "TLSv1.2" }) });
		this.#keep(secure);
		return secure;
	}

	#serve(socket: Socket): void {
		const fault = this.#fault;
		if (fault) return this.#misbehave(socket, fault);
		const onward = connect(this.#options.port, "127.0.0.1");
		this.#keep(onward);
		socket.pipe(onward).pipe(socket);
		socket.on("close", () => onward.destroy());
		onward.on("close", () => socket.destroySoon());
	}

	#misbehave(socket: Socket, fault: Misbehaviour): void {
		const { after = "request" } = fault;
		const manners = MANNERS[this.#options.column];
		let received = Buffer.alloc(0);
		let stage: Misbehaviour["after"] = "connection";
		const look = () => {
			if (after === "bytes" && received.byteLength > 0) stage = "bytes";
			else if (stage === "connection" && after !== "connection") {
				const welcome = manners.welcome(received);
				if (!welcome) return;
				stage = "request";
				if (after !== "request") {
					socket.write(welcome);
					stage = "welcome";
				}
			}
			if (stage === "welcome" && after === "ready") {
				const ready = manners.ready(received);
				if (!ready) return;
				socket.write(ready);
				stage = "ready";
			}
			if (stage !== after) return;
			socket.off("data", hear);
			socket.resume();
			this.#begin(socket, fault);
		};
		const hear = (data: Buffer) => {
			received = Buffer.concat([received, data]);
			look();
		};
		socket.on("data", hear);
		look();
	}

	#begin(socket: Socket, { sends, pace, ends }: Misbehaviour): void {
		const bytes = Buffer.from(sends ?? "");
		const leave = () => {
			if (ends === "reset") socket.resetAndDestroy();
			else if (ends === "end") socket.end();
		};
		if (pace === "for ever") {
			const write = () => {
				if (!socket.destroyed) socket.write(bytes, () => setImmediate(write));
			};
			write();
		} else if (pace === "byte by byte") {
			let at = 0;
			const stop = this.#options.seconds.each(() => {
				if (socket.destroyed || at === bytes.byteLength) {
					stop();
					leave();
				} else socket.write(bytes.subarray(at, ++at));
			});
		} else if (bytes.byteLength > 0) socket.write(bytes, leave);
		else leave();
	}
}
