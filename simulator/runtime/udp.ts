// "embedded:io/socket/udp": ECMA-419's UDP socket over one of the host's, where what has come waits until it is read.
import { callHost, onEvent } from "./bridge.js";

type ByteBuffer = ArrayBuffer | ArrayBufferView;

/** What has come, and from where. */
type Datagram = ArrayBuffer & { address: string; port: number };

interface UdpOptions {
	/** To be reached at; any where it is not given. */
	port?: number;
	format?: "buffer";
	target?: unknown;
	onReadable?: (this: UDP, count: number) => void;
}

const sockets = new Map<number, () => void>();
let lastId = 0;

onEvent("udp", (header) => sockets.get(header[1] as number)?.());

/** Every member but `close` throws once it is closed. */
class UDP {
	target?: unknown;
	#id: number | undefined;

	/** @throws RangeError for a port or format that cannot be @throws Error for a port that cannot be had */
	constructor(options: UdpOptions) {
		const { format = "buffer", onReadable, port = 0 } = options;
		if (format !== "buffer") throw new RangeError("unimplemented");
		if (!Number.isInteger(port) || port < 0 || port > 65535) throw new RangeError("invalid port");
		if (options.target !== undefined) this.target = options.target;
		const id = ++lastId;
		callHost(["udp.open", id, port]);
		this.#id = id;
		sockets.set(id, () => {
			const count = callHost(["udp.look", id]).header[1] as number;
			// What was told of may have been read already.
			if (count > 0) onReadable?.call(this, count);
		});
	}

	get format(): "buffer" {
		return "buffer";
	}

	set format(format: "buffer") {
		if (format !== "buffer") throw new RangeError("unimplemented");
	}

	/** The next datagram; undefined when none waits. */
	read(): Datagram | undefined {
		const { header, bytes } = callHost(["udp.read", this.#open()]);
		const [, address, port] = header;
		return address === undefined ? undefined : Object.assign(bytes.slice().buffer, { address: address as string, port: port as number });
	}

	/** @throws Error for an address that is not IPv4, and when it cannot be sent */
	write(data: ByteBuffer, address: string, port: number): void {
		const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
		callHost(["udp.send", this.#open(), String(address), port], bytes);
	}

	close(): void {
		if (this.#id === undefined) return;
		sockets.delete(this.#id);
		callHost(["udp.close", this.#id]);
		this.#id = undefined;
	}

	#open(): number {
		if (this.#id === undefined) throw new SyntaxError("the socket is closed");
		return this.#id;
	}
}

export default UDP;
