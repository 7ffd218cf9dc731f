// Stands between the SDK's HTTP client and its TCP or TLS socket, so that nothing a web server sends can end the firmware.

import { SafeSocket, type SafeSocketOptions } from "../net/safe-socket.js";
import { type HttpHead, HttpReader } from "./response-reader.js";

/** What the SDK's client hands over from `socket` beside its own options. */
export interface HttpSocketOptions extends SafeSocketOptions {
	/** The server's name without a port: the client's `host` has one behind it, and TLS asks for a certificate of this name. */
	name: string;
	/** So many bytes have come from the server. */
	onBytes(count: number): void;
	/** Takes the answer's head as it was read; words refuse it. */
	onHead(head: HttpHead): string | undefined;
	/** The answer is complete, whatever the SDK's client makes of its end. */
	onComplete(): void;
}

/** The client gets just this: it reads heads byte by byte, without a limit, and wants a reason phrase. */
const CLEAN_HEAD = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";

/** The answer is read here, chunks and all; the client gets a spotless head and the bare body, which ends with the connection. */
export class HttpSocket extends SafeSocket {
	readonly #reader: HttpReader;
	readonly #onBytes: (count: number) => void;
	readonly #onComplete: () => void;

	constructor(options: HttpSocketOptions) {
		const { watch } = options;
		super({
			...options,
			host: options.name,
			onWritable: (count) => {
				watch.stage = "open";
				options.onWritable?.(count);
			},
			onError: () => {
				// The end of the connection may be the answer's proper end.
				const problem = watch.stage === "open" ? this.#reader.end() : undefined;
				if (this.#reader.complete) this.#onComplete();
				else if (problem) watch.setReason(problem);
				options.onError?.();
			},
		});
		this.#onBytes = options.onBytes;
		this.#onComplete = options.onComplete;
		this.#reader = new HttpReader({
			onHead: (head) => {
				const problem = options.onHead(head);
				if (!problem) this.inbox.push(new Uint8Array(ArrayBuffer.fromString(CLEAN_HEAD)));
				return problem;
			},
			onBody: (bytes) => this.inbox.push(bytes),
		});
	}

	protected override take(chunk: Uint8Array): string | undefined {
		this.#onBytes(chunk.byteLength);
		const problem = this.#reader.take(chunk);
		if (this.#reader.complete) this.#onComplete();
		return problem;
	}
}
