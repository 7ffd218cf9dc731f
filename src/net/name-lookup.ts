// Turns a host name into an IPv4 address with the SDK's DNS resolver, and contains what that resolver throws.

import { errorText } from "../base/text.js";
import { Timeout } from "../base/timers.js";
import DnsResolver, { type NameResolver, type ResolveRequest } from "../sdk/dns-resolver.js";
import Net from "../sdk/net.js";
import UdpSocket, { type Datagram, type Udp } from "../sdk/udp.js";
import { isIpv4 } from "./address.js";
import type { ConnectionState } from "./connection-state.js";

const FALLBACK_SERVERS = Object.freeze(["1.1.1.1"]);

interface SafeUdpOptions {
	target?: unknown;
	onReadable(this: unknown, count: number): void;
}

/** The resolver reads packets inside the socket's callback and throws on malformed ones; uncaught, that would reboot the device. */
class SafeUdp {
	readonly target: unknown;
	#socket: Udp;

	constructor(options: SafeUdpOptions) {
		this.target = options.target;
		this.#socket = new UdpSocket({
			onReadable: (count) => {
				try {
					options.onReadable.call(this, count);
				} catch {
					// A malformed packet, perhaps a stranger's: the resolver asks again until its own limit.
				}
			},
		});
	}

	read(): Datagram | undefined {
		return this.#socket.read();
	}

	write(packet: ArrayBuffer, address: string, port: number): void {
		this.#socket.write(packet, address, port);
	}

	close(): void {
		this.#socket.close();
	}
}

/** One lookup; the SDK's clients take this class as `dns.io`. */
export class NameLookup {
	readonly #connection: ConnectionState;
	readonly #turn: Timeout;
	#resolver: NameResolver | undefined;
	#closed = false;

	constructor({ connection }: { connection: ConnectionState }) {
		this.#connection = connection;
		this.#turn = new Timeout(connection.timers);
		connection.join(this);
	}

	/** Answers in a later turn. After `close` it does not answer: the client would open a socket that nobody owns. */
	resolve(request: ResolveRequest): void {
		const { host } = request;
		const address = host === "localhost" ? "127.0.0.1" : isIpv4(host) ? host : undefined;
		if (address) {
			this.#turn.set(0, () => this.#finish(() => request.onResolved(host, address)));
			return;
		}
		this.#resolver = new DnsResolver({ servers: dnsServers(), socket: { io: SafeUdp } });
		this.#resolver.resolve({
			host,
			onResolved: (_, found) => this.#finish(() => request.onResolved(host, found)),
			onError: () => {
				this.#connection.setReason(`no address found for ${host}`);
				this.#finish(() => request.onError(host));
			},
		});
	}

	close(): void {
		this.#closed = true;
		this.#turn.clear();
		const resolver = this.#resolver;
		this.#resolver = undefined;
		resolver?.close();
	}

	#finish(tell: () => void): void {
		if (this.#closed) return;
		if (this.#connection.stage === "looking up the name") this.#connection.stage = "connecting";
		try {
			tell();
		} catch (thrown) {
			this.#connection.setReason(errorText(thrown));
		}
	}
}

/** The network's own DNS servers, where the platform knows them. */
function dnsServers(): readonly string[] {
	try {
		const servers = Net.get("DNS");
		if (Array.isArray(servers)) {
			const usable = servers.filter((server) => typeof server === "string" && isIpv4(server) && server !== "0.0.0.0");
			if (usable.length > 0) return usable;
		}
	} catch {
		// The simulator's network knows no DNS servers.
	}
	return FALLBACK_SERVERS;
}
