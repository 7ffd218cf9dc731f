// Turns a host name into an IPv4 address with the SDK's DNS resolver, and keeps the resolver's traps away from the firmware.

import UdpSocket from "embedded:io/socket/udp";
import Resolver from "embedded:network/dns/resolver/udp";
import Net from "net";
import Timer from "timer";
import { errorText } from "../base/text.js";
import { isIpv4 } from "./address.js";
import type { ConnectionState } from "./connection-state.js";

const FALLBACK_SERVERS = Object.freeze(["1.1.1.1"]);

interface LookupRequest {
	host: string;
	onResolved(host: string, address: string): void;
	onError(host: string): void;
}

interface UdpOptions {
	target?: unknown;
	onReadable(this: unknown, count: number): void;
}

interface BaseUdp {
	read(): ArrayBuffer | undefined;
	write(packet: ArrayBuffer, address: string, port: number): void;
	close(): void;
}

interface BaseResolver {
	resolve(request: LookupRequest): void;
	close(): void;
}

const Udp = UdpSocket as unknown as new (options: UdpOptions) => BaseUdp;
const DnsResolver = Resolver as unknown as new (options: { servers: readonly string[]; socket: { io: typeof SafeUdp } }) => BaseResolver;

/** The resolver reads packets inside the socket's callback and throws on malformed ones; uncaught that would be a reboot. */
class SafeUdp {
	readonly target: unknown;
	#socket: BaseUdp;

	constructor(options: UdpOptions) {
		this.target = options.target;
		this.#socket = new Udp({
			onReadable: (count) => {
				try {
					options.onReadable.call(this, count);
				} catch {
					// A malformed packet, perhaps of a stranger: the resolver asks again until its own limit.
				}
			},
		});
	}

	read(): ArrayBuffer | undefined {
		return this.#socket.read();
	}

	write(packet: ArrayBuffer, address: string, port: number): void {
		this.#socket.write(packet, address, port);
	}

	close(): void {
		this.#socket.close();
	}
}

/** The class that the SDK's WebSocket client takes as `dns.io`; made anew for each connection. */
export class NameLookup {
	readonly #watch: ConnectionState;
	#resolver: BaseResolver | undefined;
	#timer: ReturnType<typeof Timer.set> | undefined;
	#closed = false;

	constructor(options: { watch: ConnectionState }) {
		this.#watch = options.watch;
		this.#watch.join(this);
	}

	/** Answers in a later turn. After `close` it does not answer: the client would open a socket that nobody owns. */
	resolve(request: LookupRequest): void {
		const { host } = request;
		const address = host === "localhost" ? "127.0.0.1" : isIpv4(host) ? host : undefined;
		if (address) {
			this.#timer = Timer.set(() => {
				this.#timer = undefined;
				this.#finish(() => request.onResolved(host, address));
			}, 0);
			return;
		}
		this.#resolver = new DnsResolver({ servers: dnsServers(), socket: { io: SafeUdp } });
		this.#resolver.resolve({
			host,
			onResolved: (_, found) => this.#finish(() => request.onResolved(host, found)),
			onError: () => {
				this.#watch.setReason(`no address found for ${host}`);
				this.#finish(() => request.onError(host));
			},
		});
	}

	close(): void {
		this.#closed = true;
		if (this.#timer !== undefined) Timer.clear(this.#timer);
		this.#timer = undefined;
		const resolver = this.#resolver;
		this.#resolver = undefined;
		resolver?.close();
	}

	#finish(tell: () => void): void {
		if (this.#closed) return;
		if (this.#watch.stage === "looking up the name") this.#watch.stage = "connecting";
		try {
			tell();
		} catch (thrown) {
			this.#watch.setReason(errorText(thrown));
		}
	}
}

/** The servers that the network gave us, where the platform knows them. */
function dnsServers(): readonly string[] {
	try {
		const servers = (Net as unknown as { get(what: string): unknown }).get("DNS");
		if (Array.isArray(servers)) {
			const usable = servers.filter((server) => typeof server === "string" && isIpv4(server) && server !== "0.0.0.0");
			if (usable.length > 0) return usable;
		}
	} catch {
		// The simulator's network knows no DNS servers.
	}
	return FALLBACK_SERVERS;
}
