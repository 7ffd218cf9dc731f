// Asks a time server for the time and sets the clock (SNTP, RFC 4330).

import { Timeout, type Timers } from "../base/timers.js";
import { parseTimeServer } from "../net/address.js";
import { ConnectionState } from "../net/connection-state.js";
import { NameLookup } from "../net/name-lookup.js";
import Time from "../sdk/time.js";
import UdpSocket, { type Udp } from "../sdk/udp.js";

/** Asked when the configuration names no other. */
export const DEFAULT_TIME_SERVER = "pool.ntp.org";
export const TIME_RETRY_MS = 2000;
/** How often a server is asked. */
export const TIME_ATTEMPTS = 4;

const PACKET_BYTES = 48;
/** From 1900 to 1970. */
const EPOCH_OFFSET_S = 2_208_988_800;
const CLIENT_VERSION_4 = 0x23;
const MODE_SERVER = 4;
/** A client that gets one of them has to stop asking (RFC 4330, section 8). */
const KISSES_OF_DEATH: readonly string[] = Object.freeze(["DENY", "RSTR", "RATE"]);

export interface SntpOptions {
	/** `host` or `host:port`; `DEFAULT_TIME_SERVER` where it is not given. */
	server?: string | undefined;
	timers: Timers;
	/** Called once: with the problem when the clock could not be set. */
	onDone(problem: string | undefined): void;
}

/** It runs from the constructor on; `close` ends it without a word. */
export class SntpClient {
	readonly #options: SntpOptions;
	readonly #timeout: Timeout;
	readonly #connection: ConnectionState;
	#udp: Udp | undefined;
	#address = "";
	#port = 0;
	#attempts = 0;
	/** What this side sent as its time: a reply to anything else is a stranger's. */
	#nonce = 0;
	#over = false;

	constructor(options: SntpOptions) {
		this.#options = options;
		this.#timeout = new Timeout(options.timers);
		this.#connection = new ConnectionState({ timers: options.timers });
		try {
			const { host, port } = parseTimeServer(options.server ?? DEFAULT_TIME_SERVER);
			this.#port = port;
			// For a resolver that stays silent.
			this.#timeout.set(TIME_RETRY_MS * TIME_ATTEMPTS, () => this.#finish(`no address found for ${host}`));
			new NameLookup({ connection: this.#connection }).resolve({
				host,
				onResolved: (_, address) => {
					this.#address = address;
					this.#ask();
				},
				onError: () => this.#finish(`no address found for ${host}`),
			});
		} catch (error) {
			this.#finish((error as Error).message);
		}
	}

	close(): void {
		this.#over = true;
		this.#timeout.clear();
		this.#connection.close();
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
		if (this.#attempts++ >= TIME_ATTEMPTS) return this.#finish("the time server does not answer");
		try {
			this.#udp ??= new UdpSocket({ onReadable: () => this.#readable(), onError: () => this.#finish("the socket failed") });
			const packet = new DataView(new ArrayBuffer(PACKET_BYTES));
			packet.setUint8(0, CLIENT_VERSION_4);
			this.#nonce = Math.floor(Math.random() * 0x1_0000_0000);
			packet.setUint32(40, this.#nonce);
			this.#udp.write(packet.buffer as ArrayBuffer, this.#address, this.#port);
		} catch (error) {
			return this.#finish((error as Error).message);
		}
		this.#timeout.set(TIME_RETRY_MS, () => this.#ask());
	}

	#readable(): void {
		let reply: ServerReply | undefined;
		try {
			for (let packet = this.#udp?.read(); packet && !reply; packet = this.#udp?.read()) reply = serverReply(new DataView(packet), this.#nonce);
		} catch {
			// Nothing more to read.
		}
		if (!reply) return;
		const { refusal, seconds } = reply;
		if (refusal !== undefined) return this.#finish(`the time server refuses: ${refusal}`);
		Time.set(seconds);
		this.#finish(undefined);
	}

	#finish(problem: string | undefined): void {
		if (this.#over) return;
		this.close();
		this.#options.onDone(problem);
	}
}

/** What a server says: the time in seconds since 1970, or that it is not to be asked. */
export type ServerReply = { readonly seconds: number; readonly refusal?: undefined } | { readonly refusal: string; readonly seconds?: undefined };

/** What stands in a server's packet; undefined for any other packet, and for one of a server that does not know the time itself. */
export function serverReply(packet: DataView, nonce: number): ServerReply | undefined {
	if (packet.byteLength < PACKET_BYTES) return undefined;
	const mode = packet.getUint8(0) & 7;
	const unsynchronised = packet.getUint8(0) >> 6 === 3;
	const stratum = packet.getUint8(1);
	if (mode !== MODE_SERVER || packet.getUint32(24) !== nonce) return undefined;
	if (stratum === 0) {
		const code = String.fromCharCode(packet.getUint8(12), packet.getUint8(13), packet.getUint8(14), packet.getUint8(15));
		return KISSES_OF_DEATH.includes(code) ? { refusal: code } : undefined;
	}
	const seconds = packet.getUint32(40);
	if (unsynchronised || stratum > 15 || seconds === 0) return undefined;
	// After February 2036 the count begins anew.
	return { seconds: (seconds < EPOCH_OFFSET_S ? seconds + 0x1_0000_0000 : seconds) - EPOCH_OFFSET_S };
}
