// Sets the clock by SNTP (RFC 4330): TLS checks dates, and a device wakes up in 1970.

import UdpSocket from "embedded:io/socket/udp";
import Time from "time";
import Timer from "timer";
import { ConnectionWatch } from "../transports/connection-watch.js";
import { NameLookup } from "../transports/name-lookup.js";

/** Asked when the configuration names no other. */
export const DEFAULT_TIME_SERVER = "pool.ntp.org";
export const TIME_RETRY_MS = 2000;
/** So often a server is asked. */
export const TIME_ATTEMPTS = 4;

const NTP_PORT = 123;
const PACKET_BYTES = 48;
/** From 1900 to 1970. */
const EPOCH_OFFSET_S = 2_208_988_800;
const CLIENT_VERSION_4 = 0x23;
const MODE_SERVER = 4;

interface BaseUdp {
	read(): (ArrayBuffer & { address?: string }) | undefined;
	write(packet: ArrayBuffer, address: string, port: number): void;
	close(): void;
}

const Udp = UdpSocket as unknown as new (options: { onReadable(count: number): void; onError?(): void }) => BaseUdp;

export interface ClockOptions {
	/** Name or IPv4 address. */
	server?: string | undefined;
	port?: number | undefined;
	/** Called once: with the problem when the clock could not be set. */
	onDone(problem: string | undefined): void;
}

/** Asks a time server and sets the clock. Made, it runs; `close` ends it without a word. */
export class ClockSetter {
	readonly #options: ClockOptions;
	readonly #watch: ConnectionWatch;
	#udp: BaseUdp | undefined;
	#address = "";
	#attempts = 0;
	#timer: ReturnType<typeof Timer.set> | undefined;
	/** What this side sent as its time: a reply to anything else is a stranger's. */
	#nonce = 0;
	#over = false;

	constructor(options: ClockOptions) {
		this.#options = options;
		this.#watch = new ConnectionWatch("", () => false);
		const server = options.server ?? DEFAULT_TIME_SERVER;
		try {
			new NameLookup({ watch: this.#watch }).resolve({
				host: server,
				onResolved: (_, address) => {
					this.#address = address;
					this.#ask();
				},
				onError: () => this.#finish(`no address found for ${server}`),
			});
			// A resolver that stays silent ends here as well.
			this.#timer = Timer.set(() => {
				this.#timer = undefined;
				this.#finish(`no address found for ${server}`);
			}, TIME_RETRY_MS * TIME_ATTEMPTS);
		} catch (error) {
			this.#finish((error as Error).message);
		}
	}

	close(): void {
		this.#over = true;
		if (this.#timer !== undefined) Timer.clear(this.#timer);
		this.#timer = undefined;
		this.#watch.close();
		const udp = this.#udp;
		this.#udp = undefined;
		try {
			udp?.close();
		} catch {
			// It is over anyway.
		}
	}

	#ask(): void {
		if (this.#over) return;
		if (this.#timer !== undefined) Timer.clear(this.#timer);
		this.#timer = undefined;
		if (this.#attempts++ >= TIME_ATTEMPTS) return this.#finish("the time server does not answer");
		try {
			this.#udp ??= new Udp({ onReadable: () => this.#readable(), onError: () => this.#finish("the socket failed") });
			const packet = new DataView(new ArrayBuffer(PACKET_BYTES));
			packet.setUint8(0, CLIENT_VERSION_4);
			this.#nonce = Math.floor(Math.random() * 0x1_0000_0000);
			packet.setUint32(40, this.#nonce);
			this.#udp.write(packet.buffer as ArrayBuffer, this.#address, this.#options.port ?? NTP_PORT);
		} catch (error) {
			return this.#finish((error as Error).message);
		}
		this.#timer = Timer.set(() => {
			this.#timer = undefined;
			this.#ask();
		}, TIME_RETRY_MS);
	}

	#readable(): void {
		let seconds: number | undefined;
		try {
			for (let packet = this.#udp?.read(); packet && seconds === undefined; packet = this.#udp?.read())
				seconds = serverTime(new DataView(packet), this.#nonce);
		} catch {
			// Nothing more to read.
		}
		if (seconds === undefined) return;
		Time.set(seconds);
		this.#finish(undefined);
	}

	#finish(problem: string | undefined): void {
		if (this.#over) return;
		this.close();
		this.#options.onDone(problem);
	}
}

/** The time in a server's packet, in seconds since 1970; undefined for any other packet. */
export function serverTime(packet: DataView, nonce: number): number | undefined {
	if (packet.byteLength < PACKET_BYTES) return undefined;
	const mode = packet.getUint8(0) & 7;
	const unsynchronised = packet.getUint8(0) >> 6 === 3;
	const stratum = packet.getUint8(1);
	if (mode !== MODE_SERVER || unsynchronised || stratum === 0 || stratum > 15 || packet.getUint32(24) !== nonce) return undefined;
	const seconds = packet.getUint32(40);
	if (seconds === 0) return undefined;
	// After February 2036 the count begins anew.
	return (seconds < EPOCH_OFFSET_S ? seconds + 0x1_0000_0000 : seconds) - EPOCH_OFFSET_S;
}
