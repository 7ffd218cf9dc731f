// A UDP socket of the host for a simulated machine, with a queue as short as on Moddable's Linux simulator.

import { createSocket, type Socket } from "node:dgram";
import { isIPv4 } from "node:net";

/** So many datagrams wait to be read; then the oldest are lost. */
export const MAX_WAITING_DATAGRAMS = 100;
/** What is longer comes cut. */
const MAX_DATAGRAM_BYTES = 2048;
/** More than this does not wait to go out. */
const MAX_QUEUED_BYTES = 65_536;

/** What has come, and from where. */
export interface Datagram {
	readonly bytes: Uint8Array;
	/** IPv4. */
	readonly address: string;
	readonly port: number;
}

/** Bound at once; it ends with `close`. */
export class HostUdp {
	readonly #socket: Socket;
	readonly #waiting: Datagram[] = [];
	/** Has it been told that something waits, and nobody has looked yet? */
	#told = false;

	/**
	 * @param port 0 for any. A given one is on 127.0.0.1, so that a simulated device serves nobody but this machine.
	 * @param onReadable something waits; told again only after `look`
	 * @throws Error when the port cannot be had
	 */
	constructor(port: number, onReadable: () => void) {
		// With names resolved at once, so is bind.
		this.#socket = createSocket({ type: "udp4", lookup: (host, _, callback) => callback(null, host, 4) });
		let problem: Error | undefined;
		this.#socket.on("error", (error) => {
			problem = error;
		});
		this.#socket.on("message", (message, { address, port }) => {
			this.#waiting.push({ bytes: message.subarray(0, MAX_DATAGRAM_BYTES), address, port });
			if (this.#waiting.length > MAX_WAITING_DATAGRAMS) this.#waiting.shift();
			if (this.#told) return;
			this.#told = true;
			onReadable();
		});
		this.#socket.bind(port, port === 0 ? "0.0.0.0" : "127.0.0.1");
		if (problem) {
			this.#socket.close();
			throw new Error("bind failed");
		}
	}

	/** How many datagrams wait. */
	look(): number {
		this.#told = false;
		return this.#waiting.length;
	}

	/** The oldest that waits. */
	read(): Datagram | undefined {
		return this.#waiting.shift();
	}

	/** @throws Error for an address that is not IPv4, and when too much waits to go out already */
	send(bytes: Uint8Array, address: string, port: number): void {
		if (!isIPv4(address)) throw new Error("invalid IP address");
		if (this.#socket.getSendQueueSize() > MAX_QUEUED_BYTES) throw new Error("sendto failed");
		// Its own copy: Node keeps the bytes until they are out. What cannot be delivered is lost, as datagrams are.
		this.#socket.send(bytes.slice(), port, address, () => {});
	}

	close(): void {
		this.#socket.close();
	}
}
