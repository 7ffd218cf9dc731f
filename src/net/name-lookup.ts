// Turns a host name into an IPv4 address with the SDK's DNS resolver, and contains what that resolver throws.

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
	#resolver: NameResolver | undefined;

	constructor({ connection }: { connection: ConnectionState }) {
		this.#connection = connection;
		connection.join(this);
	}

	/** Answers in a later turn. After `close` it does not answer: the client would open a socket that nobody owns. */
	resolve(request: ResolveRequest): void {
		const { host } = request;
		this.#resolver = new DnsResolver({ servers: dnsServers(), socket: { io: SafeUdp } });
		this.#resolver.resolve({
			host,
			onResolved: (_, found) => {
				this.#connection.stage = "connecting";
				this.forget();
				request.onResolved(host, found);
			},
			onError: () => {
				this.#connection.setReason(`no address found for ${host}`);
				this.forget();
				request.onError(host);
			},
		});
	}

	close(): void {
		this.#resolver?.close();
	}

	/** A resolver with no request left has closed its socket. */
	private forget(): void {
		this.#resolver = undefined;
		this.#connection.leave(this);
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
