// "embedded:io/serial": a UART as in ECMA-419, with SCServo motors (Feetech SCS protocol) on the other end of the wire.

import { show } from "simulator/panel";
import Timer from "timer";
import { ServoBus } from "./servo-bus.js";

type Bytes = ArrayBufferLike | ArrayBufferView;

const OUTPUT_BYTES = 128;

export interface SerialOptions {
	receive?: number;
	transmit?: number;
	baud: number;
	port?: number;
	format?: "number" | "buffer";
	onReadable?: (byteLength: number) => void;
	onWritable?: (byteLength: number) => void;
	target?: unknown;
}

/** What is written reaches the motors at once; what they answer can be read afterwards. */
export default class Serial {
	target: unknown;
	format: "number" | "buffer";
	readonly #options: SerialOptions;
	readonly #bus = new ServoBus();
	#received: number[] = [];
	#notice: ReturnType<typeof Timer.set> | undefined;
	#closed = false;

	/** @throws RangeError without a baud rate */
	constructor(options: SerialOptions) {
		if (!(options.baud > 0)) throw new RangeError("serial: invalid baud");
		this.#options = options;
		this.format = options.format ?? "number";
		this.target = options.target;
		show("serial", { baud: options.baud });
		if (options.onWritable) Timer.set(() => !this.#closed && options.onWritable?.call(this, OUTPUT_BYTES));
	}

	write(data: number | Bytes): void {
		this.#check();
		const bytes =
			typeof data === "number"
				? [data]
				: ArrayBuffer.isView(data)
					? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
					: new Uint8Array(data);
		this.#received.push(...this.#bus.take(bytes));
		if (this.#received.length === 0 || !this.#options.onReadable) return;
		this.#notice ??= Timer.set(() => {
			this.#notice = undefined;
			if (this.#received.length > 0) this.#options.onReadable?.call(this, this.#received.length);
		});
	}

	/** A byte, or with the format "buffer" all that came or `length` of it; undefined when nothing has come. */
	read(length?: number | Bytes): number | ArrayBuffer | undefined {
		this.#check();
		if (this.#received.length === 0) return undefined;
		if (this.format === "number" && length === undefined) return this.#received.shift();
		if (length !== undefined && typeof length !== "number") {
			const bytes = ArrayBuffer.isView(length) ? new Uint8Array(length.buffer, length.byteOffset, length.byteLength) : new Uint8Array(length);
			const taken = this.#received.splice(0, bytes.length);
			bytes.set(taken);
			return taken.length;
		}
		return Uint8Array.from(this.#received.splice(0, length ?? this.#received.length)).buffer;
	}

	flush(): void {
		this.#received = [];
	}

	set(_options: object): void {}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		if (this.#notice !== undefined) Timer.clear(this.#notice);
		this.#bus.close();
	}

	#check(): void {
		if (this.#closed) throw new Error("serial: closed");
	}
}
