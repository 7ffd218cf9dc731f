// The other side of a device's UDP sockets: a real socket on 127.0.0.1, whose datagrams wait until the test takes them.

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

/** What came, and from where. */
export interface Datagram {
	readonly bytes: Buffer;
	readonly port: number;
}

export class UdpPeer {
	readonly port: number;
	readonly #socket: Socket;
	readonly #items: Datagram[] = [];
	readonly #waiting: ((datagram: Datagram) => void)[] = [];

	/** @param port 0 for any */
	static async open(port = 0): Promise<UdpPeer> {
		const socket = createSocket("udp4");
		socket.bind(port, "127.0.0.1");
		await once(socket, "listening");
		return new UdpPeer(socket);
	}

	private constructor(socket: Socket) {
		this.#socket = socket;
		this.port = socket.address().port;
		socket.on("message", (bytes, { port }) => {
			const reader = this.#waiting.shift();
			if (reader) reader({ bytes, port });
			else this.#items.push({ bytes, port });
		});
	}

	/** The next datagram. */
	next(): Promise<Datagram> {
		const item = this.#items.shift();
		return item ? Promise.resolve(item) : new Promise((resolve) => this.#waiting.push(resolve));
	}

	/** How many datagrams wait to be taken. */
	get waiting(): number {
		return this.#items.length;
	}

	/** Resolves when it is on its way. */
	send(bytes: Uint8Array, port: number): Promise<unknown> {
		return new Promise((resolve) => this.#socket.send(bytes, port, "127.0.0.1", resolve));
	}

	close(): Promise<void> {
		return new Promise((resolve) => this.#socket.close(() => resolve()));
	}
}

/** A port on which nobody listens. */
export async function freeUdpPort(): Promise<number> {
	const peer = await UdpPeer.open();
	await peer.close();
	return peer.port;
}
