// Tells the local network that there is an MCP server here: `_mcp._tcp` by multicast DNS.

import { concatBytes, utf8Bytes } from "../base/bytes.js";
import { Timeout, type Timers } from "../base/timers.js";
import { DnsSdSocket } from "../net/dns-sd-socket.js";
import DnsSd, { type Announced, type ServiceDiscovery } from "../sdk/dns-sd.js";

export const SERVICE_TYPE = "_mcp._tcp";
/** Names that are tried where others have them. */
export const MAX_NAMES = 9;

export interface AnnouncementOptions {
	/** The board's name. */
	name: string;
	/** The device's MAC address, whose end makes the name its own. */
	macAddress: string;
	port: number;
	path: string;
	timers: Timers;
	log(line: string): void;
}

/** It announces from the constructor until `close`; what cannot be done costs a line in the log. */
export class Announcement {
	readonly #options: AnnouncementOptions;
	readonly #turn: Timeout;
	readonly #dnsSd: ServiceDiscovery | undefined;
	#claim: Announced | undefined;
	#closed = false;

	constructor(options: AnnouncementOptions) {
		this.#options = options;
		this.#turn = new Timeout(options.timers);
		try {
			this.#dnsSd = new DnsSd({ socket: { io: DnsSdSocket } });
			this.#take(1);
		} catch (error) {
			options.log(`mdns: the device is not announced: ${(error as Error).message}`);
		}
	}

	/** Withdraws it. May be called twice. */
	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#turn.clear();
		try {
			this.#dnsSd?.close();
		} catch (error) {
			this.#options.log(`mdns: ${(error as Error).message}`);
		}
	}

	#take(attempt: number): void {
		const { macAddress, name } = this.#options;
		const end = macAddress.replaceAll(":", "").slice(-4);
		const host = `${name.replaceAll("_", "-")}-${end}${attempt > 1 ? `-${attempt}` : ""}`.toLowerCase();
		this.#claim = this.#dnsSd?.claim({
			host,
			onReady: () => this.#safely(() => this.#advertise(host)),
			onError: () => {
				const { log } = this.#options;
				if (attempt >= MAX_NAMES) return log(`mdns: the device is not announced: ${host}.local is taken, too`);
				log(`mdns: somebody else is ${host}.local`);
				// The SDK still has the old one in its hands.
				this.#turn.set(0, () =>
					this.#safely(() => {
						this.#claim?.close();
						this.#take(attempt + 1);
					}),
				);
			},
		});
	}

	#advertise(host: string): void {
		const { log, name, path, port } = this.#options;
		if (this.#closed) return;
		const txt = txtRecord(`path=${path}`, `name=${name}`);
		this.#dnsSd?.advertise({ serviceType: SERVICE_TYPE, name: host, host, port, txt });
		log(`mdns: http://${host}.local${port === 80 ? "" : `:${port}`}${path} is announced as ${SERVICE_TYPE}`);
	}

	#safely(act: () => void): void {
		try {
			act();
		} catch (error) {
			this.#options.log(`mdns: the device is not announced: ${(error as Error).message}`);
		}
	}
}

/** The bytes of a TXT record (RFC 6763, section 6.1). */
function txtRecord(...texts: readonly string[]): Uint8Array {
	let record: Uint8Array = new Uint8Array(0);
	for (const text of texts) {
		const bytes = utf8Bytes(text);
		record = concatBytes(record, concatBytes(Uint8Array.of(bytes.byteLength), bytes));
	}
	return record;
}
