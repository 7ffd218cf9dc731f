// What surrounds one life of a simulated machine: answers the firmware's commands with real sockets, names, timers and settings.
import dns from "node:dns";
import net from "node:net";
import os from "node:os";
import type { TLSSocket } from "node:tls";
import type { Clock } from "./clock.js";
import { connectTls, tlsFailure } from "./host-tls.js";
import { HostUdp } from "./host-udp.js";
import type { PartDescription } from "./parts.js";
import { decodeText, type Frame, type Header, pack, unpack } from "./runtime/frame.js";

/** A setting's value; bytes are what the firmware hands over as an ArrayBuffer. */
export type PreferenceValue = string | number | boolean | Uint8Array;

/** Settings by domain and key. */
export type Preferences = Record<string, Record<string, PreferenceValue>>;

/** What the host needs, and whom it tells. */
export interface HostOptions {
	config: Readonly<Record<string, unknown>>;
	/** What the module "Resource" has, by name. */
	resources?: Readonly<Record<string, Uint8Array>> | undefined;
	/** Read and changed in place. */
	preferences: Preferences;
	clock: Clock;
	/** Takes an event for the machine. */
	post(event: Uint8Array): void;
	/** Text of the firmware's log, cut anywhere. */
	onTrace(text: string): void;
	onDescribe(part: string, description: PartDescription): void;
	onShow(part: string, state: unknown): void;
	/** The firmware asked for a restart; the machine must not run on. */
	onRestart(): void;
	/** The firmware failed, `what` as hardware calls it; the machine must not run on. */
	onAbort(what: string, reason: string): void;
	/** An `evaluate` is done; `result` is JSON, or the error in words. */
	onEvaluated(id: number, ok: boolean, result: string): void;
}

// Moddable's Linux simulator hands over at most this much at a time.
const RECEIVE_WINDOW_BYTES = 1536;

/** Host of one machine. */
export class Host {
	#options: HostOptions;
	#timers = new Map<number, () => void>();
	#sockets = new Map<number, HostSocket>();
	#listeners = new Map<number, net.Server>();
	#udp = new Map<number, HostUdp>();
	#lastAccepted = 0;
	/** Closed by the firmware, with bytes that still have to go out. */
	#leaving = new Set<net.Socket>();
	#onQuiet: (() => void)[] = [];
	#closed = false;

	constructor(options: HostOptions) {
		this.#options = options;
	}

	/** Answers a command; no answer means that the machine has come to its end. */
	command(command: Uint8Array): Uint8Array | undefined {
		try {
			const { header, bytes } = unpack(command);
			const reply = this.#answer(header, bytes);
			if (reply instanceof Uint8Array) return pack(["bytes"], reply);
			return reply && ("header" in reply ? pack(reply.header, reply.bytes) : pack(reply));
		} catch (error) {
			return pack(["error", error instanceof Error ? error.message : String(error)]);
		}
	}

	/** Resolves when no socket is left, open or with bytes to go out. */
	quiet(): Promise<void> {
		return new Promise((resolve) => {
			this.#onQuiet.push(resolve);
			this.#checkQuiet();
		});
	}

	/** Ends timers and sockets; what was written still goes out. May be called twice. */
	close(): void {
		this.#closed = true;
		for (const cancel of this.#timers.values()) cancel();
		this.#timers.clear();
		for (const server of this.#listeners.values()) server.close();
		this.#listeners.clear();
		for (const socket of this.#udp.values()) socket.close();
		this.#udp.clear();
		for (const id of [...this.#sockets.keys()]) this.#closeSocket(id);
	}

	/** Cuts what `close` lets finish. */
	destroy(): void {
		this.close();
		for (const socket of this.#leaving) socket.destroy();
	}

	#answer([kind, ...values]: Header, bytes: Uint8Array): Header | Frame | Uint8Array | undefined {
		const { config, preferences, clock, onTrace, onDescribe, onShow, onRestart, onAbort, onEvaluated } = this.#options;
		if (this.#closed) return undefined;
		switch (kind) {
			case "trace":
				onTrace(decodeText(bytes));
				break;
			case "timer":
				this.#setTimer(values[0] as number, values[1] as number);
				break;
			case "untimer":
				this.#timers.get(values[0] as number)?.();
				this.#timers.delete(values[0] as number);
				break;
			case "ticks":
				return ["ok", Math.trunc(clock.now()) | 0];
			case "config":
				return ["ok", config];
			case "resource": {
				const { resources = {} } = this.#options;
				const name = values[0] as string;
				return Object.hasOwn(resources, name) ? resources[name] : ["ok"];
			}
			case "net":
				return known(this.#networkFact(values[0] as string));
			case "resolve":
				this.#resolve(values[0] as number, values[1] as string);
				break;
			case "socket.open":
				this.#openSocket(values as SocketValues, bytes);
				break;
			case "socket.adopt":
				this.#sockets.get(values[0] as number)?.start();
				break;
			case "listen":
				this.#listen(values[0] as number, values[1] as number);
				break;
			case "unlisten":
				this.#listeners.get(values[0] as number)?.close();
				this.#listeners.delete(values[0] as number);
				break;
			case "socket.write":
				this.#sockets.get(values[0] as number)?.write(bytes);
				break;
			case "socket.consumed":
				this.#sockets.get(values[0] as number)?.consumed(values[1] as number);
				break;
			case "socket.close":
				this.#closeSocket(values[0] as number);
				break;
			case "udp.open": {
				const id = values[0] as number;
				this.#udp.set(id, new HostUdp(values[1] as number, () => this.#post(["udp", id])));
				break;
			}
			case "udp.look":
				return ["ok", this.#udp.get(values[0] as number)?.look() ?? 0];
			case "udp.read": {
				const datagram = this.#udp.get(values[0] as number)?.read();
				return datagram ? { header: ["datagram", datagram.address, datagram.port], bytes: datagram.bytes } : ["ok"];
			}
			case "udp.send":
				this.#udp.get(values[0] as number)?.send(bytes, values[1] as string, values[2] as number);
				break;
			case "udp.close":
				this.#udp.get(values[0] as number)?.close();
				this.#udp.delete(values[0] as number);
				break;
			case "preference.set": {
				const [domain, key, value] = values as [string, string, PreferenceValue | undefined];
				const keys = Object.hasOwn(preferences, domain) ? preferences[domain] : undefined;
				preferences[domain] = { ...keys, [key]: value ?? bytes.slice() };
				break;
			}
			case "preference.get": {
				const keys = Object.hasOwn(preferences, values[0] as string) ? preferences[values[0] as string] : undefined;
				const value = keys && Object.hasOwn(keys, values[1] as string) ? keys[values[1] as string] : undefined;
				return value instanceof Uint8Array ? value : known(value);
			}
			case "preference.delete":
				delete preferences[values[0] as string]?.[values[1] as string];
				break;
			case "preference.keys":
				return ["ok", Object.keys(preferences[values[0] as string] ?? {})];
			case "describe":
				onDescribe(values[0] as string, values[1] as PartDescription);
				break;
			case "show":
				onShow(values[0] as string, values[1]);
				break;
			case "evaluated":
				onEvaluated(values[0] as number, values[1] as boolean, decodeText(bytes));
				break;
			case "restart":
				onRestart();
				return undefined;
			case "abort":
				onAbort(values[0] as string, values[1] as string);
				return undefined;
			default:
				throw new Error(`the simulator does not know "${kind}"`);
		}
		return ["ok"];
	}

	#post(header: Header, bytes?: Uint8Array): void {
		if (!this.#closed) this.#options.post(pack(header, bytes));
	}

	#setTimer(id: number, milliseconds: number): void {
		const cancel = this.#options.clock.set(milliseconds, () => {
			this.#timers.delete(id);
			this.#post(["timer", id]);
		});
		this.#timers.set(id, cancel);
	}

	#networkFact(what: string): string | string[] | undefined {
		if (what === "IP") {
			const addresses = Object.values(os.networkInterfaces()).flatMap((list) => list ?? []);
			return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
		}
		if (what === "DNS") return dns.getServers().filter((server) => net.isIPv4(server));
		if (what === "MAC" && typeof this.#options.config.device_id === "string") return this.#options.config.device_id;
		return undefined;
	}

	#resolve(id: number, host: string): void {
		// RFC 6761, section 6.4: such a name is answered at once, without asking a server.
		if (host.endsWith(".invalid")) return this.#post(["resolved", id, null]);
		dns.lookup(host, { family: 4 }, (error, address) => this.#post(["resolved", id, error ? null : address]));
	}

	#openSocket([id, address, port, noDelay, serverName, sizes, legacy]: SocketValues, bytes: Uint8Array): void {
		if (!net.isIPv4(address)) throw new Error("invalid address");
		const window = (this.#options.config.simulatedReadable as number | undefined) ?? RECEIVE_WINDOW_BYTES;
		const tell: SocketListener = (kind, bytes, ...values) => this.#post(["socket", id, kind, ...values], bytes);
		if (serverName === null) {
			this.#sockets.set(id, new HostSocket(net.connect({ host: address, port, noDelay }), window, tell));
			return;
		}
		let at = 0;
		const certificates = sizes.map((size) => {
			at += size;
			return bytes.slice(at - size, at);
		});
		this.#sockets.set(id, new HostSocket(connectTls({ address, port, noDelay, serverName, certificates, legacy }), window, tell, serverName));
	}

	#listen(id: number, port: number): void {
		const server = net.createServer({ noDelay: true, pauseOnConnect: true }, (socket) => {
			const accepted = --this.#lastAccepted;
			const window = (this.#options.config.simulatedReadable as number | undefined) ?? RECEIVE_WINDOW_BYTES;
			this.#sockets.set(
				accepted,
				new HostSocket(socket, window, (kind, bytes, ...values) => this.#post(["socket", accepted, kind, ...values], bytes)),
			);
			this.#post(["listener", id, accepted]);
		});
		server.on("error", (error) => this.#options.onTrace(`simulator: ${error.message}\n`));
		server.listen(port, "127.0.0.1");
		this.#listeners.set(id, server);
	}

	#closeSocket(id: number): void {
		const socket = this.#sockets.get(id)?.release();
		this.#sockets.delete(id);
		if (socket && !socket.destroyed) {
			this.#leaving.add(socket);
			socket.once("close", () => {
				this.#leaving.delete(socket);
				this.#checkQuiet();
			});
			// A socket that never connected has nothing to say.
			if (socket.connecting || (socket as Partial<TLSSocket & { secureConnecting: boolean }>).secureConnecting) socket.destroy();
			else socket.destroySoon();
		}
		this.#checkQuiet();
	}

	#checkQuiet(): void {
		if (this.#sockets.size || this.#leaving.size) return;
		for (const resolve of this.#onQuiet.splice(0)) resolve();
	}
}

/** JSON would make null of undefined. */
function known(value: unknown): Header {
	return value === undefined ? ["ok"] : ["ok", value];
}

/** `serverName` is null for plain TCP; the certificates stand one behind the other in the command's bytes. */
type SocketValues = [id: number, address: string, port: number, noDelay: boolean, serverName: string | null, sizes: number[], legacy: boolean];

type SocketListener = (kind: "connected" | "handshake" | "drained" | "data" | "ended", bytes?: Uint8Array, ...values: unknown[]) => void;

/** A socket of the host with a device's small windows. */
class HostSocket {
	#socket: net.Socket;
	#tell: SocketListener | undefined;
	/** How many bytes the machine takes before it has read some. */
	#credit: number;
	#received: Buffer[] = [];
	#writing = 0;
	#ended = false;
	/** Why it ends, for the log. */
	#reason: string | undefined;

	/** @param serverName given for a socket over TLS */
	constructor(socket: net.Socket, window: number, listener: SocketListener, serverName?: string) {
		this.#socket = socket;
		this.#credit = window;
		this.#tell = listener;
		const secure = serverName !== undefined;
		if (secure) socket.on("connect", () => this.#tell?.("handshake"));
		socket.on(secure ? "secureConnect" : "connect", () => this.#tell?.("connected", undefined, socket.remoteAddress, socket.remotePort));
		socket.on("data", (chunk: Buffer) => {
			this.#received.push(chunk);
			this.#handOver();
		});
		socket.on("error", (error) => {
			if (secure) this.#reason ??= tlsFailure(error, serverName);
		});
		for (const event of ["end", "close"])
			socket.on(event, () => {
				if (this.#ended) return;
				this.#ended = true;
				this.#handOver();
			});
	}

	/** A connection that came in waits until somebody takes it. */
	start(): void {
		const { remoteAddress, remotePort } = this.#socket;
		this.#tell?.("connected", undefined, remoteAddress, remotePort);
		this.#socket.resume();
	}

	write(bytes: Uint8Array): void {
		this.#writing++;
		// Its own copy: Node keeps the bytes until they are out.
		this.#socket.write(bytes.slice(), () => {
			if (--this.#writing === 0) this.#tell?.("drained");
		});
	}

	consumed(count: number): void {
		this.#credit += count;
		this.#handOver();
	}

	/** Gives the socket back; nothing is told from here on. */
	release(): net.Socket {
		this.#tell = undefined;
		this.#received = [];
		this.#socket.resume();
		return this.#socket;
	}

	#handOver(): void {
		while (this.#tell && this.#received.length && this.#credit > 0) {
			const chunk = this.#received[0] as Buffer;
			const part = chunk.subarray(0, this.#credit);
			if (part.length < chunk.length) this.#received[0] = chunk.subarray(part.length);
			else this.#received.shift();
			this.#credit -= part.length;
			this.#tell("data", part);
		}
		if (this.#received.length) this.#socket.pause();
		else if (this.#ended) {
			this.#tell?.("ended", undefined, this.#reason);
			this.#tell = undefined;
		} else this.#socket.resume();
	}
}
