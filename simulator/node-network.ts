// The network of a simulated machine on Node: real names, TCP, TLS and UDP.
import dns from "node:dns";
import net from "node:net";
import os from "node:os";
import type { TLSSocket } from "node:tls";
import { connectTls, tlsFailure } from "./host-tls.js";
import { HostUdp } from "./host-udp.js";
import { known, type Network, type NetworkOptions, ReceiveWindow, type Reply } from "./network.js";
import type { Header } from "./runtime/frame.js";

/** The network of one machine. */
export class NodeNetwork implements Network {
	#options: NetworkOptions;
	#sockets = new Map<number, HostSocket>();
	#listeners = new Map<number, net.Server>();
	#udp = new Map<number, HostUdp>();
	#lastAccepted = 0;
	/** Closed by the firmware, with bytes that still have to go out. */
	#leaving = new Set<net.Socket>();
	#onQuiet: (() => void)[] = [];

	constructor(options: NetworkOptions) {
		this.#options = options;
	}

	quiet(): Promise<void> {
		return new Promise((resolve) => {
			this.#onQuiet.push(resolve);
			this.#checkQuiet();
		});
	}

	close(): void {
		for (const server of this.#listeners.values()) server.close();
		this.#listeners.clear();
		for (const socket of this.#udp.values()) socket.close();
		this.#udp.clear();
		for (const id of [...this.#sockets.keys()]) this.#closeSocket(id);
	}

	destroy(): void {
		this.close();
		for (const socket of this.#leaving) socket.destroy();
	}

	answer([kind, ...values]: Header, bytes: Uint8Array): Reply {
		switch (kind) {
			case "net":
				return known(this.#fact(values[0] as string));
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
			default:
				throw new Error(`the simulator does not know "${kind}"`);
		}
		return ["ok"];
	}

	#post(header: Header, bytes?: Uint8Array): void {
		this.#options.post(header, bytes);
	}

	#fact(what: string): string | string[] | undefined {
		const { config } = this.#options;
		if (what === "IP") {
			const addresses = Object.values(os.networkInterfaces()).flatMap((list) => list ?? []);
			return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
		}
		if (what === "DNS") return dns.getServers().filter((server) => net.isIPv4(server));
		if (what === "MAC" && typeof config.device_id === "string") return config.device_id;
		return undefined;
	}

	#resolve(id: number, host: string): void {
		// RFC 6761, section 6.4: such a name is answered at once, without asking a server.
		if (host.endsWith(".invalid")) return this.#post(["resolved", id, null]);
		dns.lookup(host, { family: 4 }, (error, address) => this.#post(["resolved", id, error ? null : address]));
	}

	#openSocket([id, address, port, noDelay, serverName, sizes, legacy]: SocketValues, bytes: Uint8Array): void {
		if (!net.isIPv4(address)) throw new Error("invalid address");
		const { config } = this.#options;
		const tell: SocketListener = (kind, bytes, ...values) => this.#post(["socket", id, kind, ...values], bytes);
		if (serverName === null) {
			this.#sockets.set(id, new HostSocket(net.connect({ host: address, port, noDelay }), config, tell));
			return;
		}
		let at = 0;
		const certificates = sizes.map((size) => {
			at += size;
			return bytes.slice(at - size, at);
		});
		this.#sockets.set(id, new HostSocket(connectTls({ address, port, noDelay, serverName, certificates, legacy }), config, tell, serverName));
	}

	#listen(id: number, port: number): void {
		const server = net.createServer({ noDelay: true, pauseOnConnect: true }, (socket) => {
			const accepted = --this.#lastAccepted;
			const tell: SocketListener = (kind, bytes, ...values) => this.#post(["socket", accepted, kind, ...values], bytes);
			this.#sockets.set(accepted, new HostSocket(socket, this.#options.config, tell));
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

/** `serverName` is null for plain TCP; the certificates stand one behind the other in the command's bytes. */
type SocketValues = [id: number, address: string, port: number, noDelay: boolean, serverName: string | null, sizes: number[], legacy: boolean];

type SocketListener = (kind: "connected" | "handshake" | "drained" | "data" | "ended", bytes?: Uint8Array, ...values: unknown[]) => void;

/** A socket of the host with a device's small windows. */
class HostSocket {
	#socket: net.Socket;
	#tell: SocketListener | undefined;
	#window: ReceiveWindow;
	#writing = 0;
	/** Why it ends, for the log. */
	#reason: string | undefined;

	/** @param serverName given for a socket over TLS */
	constructor(socket: net.Socket, config: NetworkOptions["config"], listener: SocketListener, serverName?: string) {
		this.#socket = socket;
		this.#tell = listener;
		this.#window = new ReceiveWindow(
			config,
			(bytes) => this.#tell?.("data", bytes),
			() => {
				this.#tell?.("ended", undefined, this.#reason);
				this.#tell = undefined;
			},
		);
		const secure = serverName !== undefined;
		if (secure) socket.on("connect", () => this.#tell?.("handshake"));
		socket.on(secure ? "secureConnect" : "connect", () => this.#tell?.("connected", undefined, socket.remoteAddress, socket.remotePort));
		socket.on("data", (chunk: Buffer) => {
			this.#window.push(chunk);
			this.#pace();
		});
		socket.on("error", (error) => {
			if (secure) this.#reason ??= tlsFailure(error, serverName);
		});
		for (const event of ["end", "close"]) socket.on(event, () => this.#window.end());
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
		this.#window.consumed(count);
		this.#pace();
	}

	/** Gives the socket back; nothing is told from here on. */
	release(): net.Socket {
		this.#tell = undefined;
		this.#window.close();
		this.#socket.resume();
		return this.#socket;
	}

	#pace(): void {
		if (this.#window.full) this.#socket.pause();
		else this.#socket.resume();
	}
}
