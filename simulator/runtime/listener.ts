// "embedded:io/socket/listener": ECMA-419's listening socket over one of the host's, on 127.0.0.1.
import { callHost, onEvent } from "./bridge.js";
import TCP from "./tcp.js";

interface ListenerOptions {
	port?: number;
	onReadable?: (this: Listener, count: number) => void;
}

const listeners = new Map<number, (socket: number) => void>();
let lastId = 0;

onEvent("listener", (header) => {
	const accept = listeners.get(header[1] as number);
	if (accept) accept(header[2] as number);
	else callHost(["socket.close", header[2]]);
});

class Listener {
	#id: number | undefined;
	readonly #port: number;
	#waiting: number[] = [];

	/** A port that is taken costs a line in the log. */
	constructor({ port = 80, onReadable }: ListenerOptions) {
		const id = ++lastId;
		callHost(["listen", id, port]);
		this.#port = port;
		this.#id = id;
		listeners.set(id, (socket) => {
			this.#waiting.push(socket);
			onReadable?.call(this, 1);
		});
	}

	get port(): number {
		return this.#port;
	}

	/** The next connection, to be made into a working one by `new TCP({from})`. */
	read(): TCP | undefined {
		const socket = this.#waiting.shift();
		return socket === undefined ? undefined : new TCP({ accepted: socket });
	}

	close(): void {
		if (this.#id === undefined) return;
		listeners.delete(this.#id);
		for (const socket of this.#waiting) callHost(["socket.close", socket]);
		this.#waiting = [];
		callHost(["unlisten", this.#id]);
		this.#id = undefined;
	}
}

export default Listener;
