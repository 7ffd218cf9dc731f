// A device that serves MCP over Streamable HTTP: the hub connects to it, and again when it has gone.

import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Backoff } from "../src/base/backoff.js";
import { DeviceSession, type WireDirection } from "./device-session.js";
import type { Devices } from "./devices.js";

/** The library's transport, which shows what it carries. */
class WatchedTransport extends StreamableHTTPClientTransport {
	onWire: ((direction: WireDirection, message: unknown) => void) | undefined;

	constructor(...values: ConstructorParameters<typeof StreamableHTTPClientTransport>) {
		super(...values);
		let deliver = this.onmessage;
		// The client sets it, and may set it again.
		Object.defineProperty(this, "onmessage", {
			get: () => deliver,
			set: (next: typeof deliver) => {
				deliver =
					next &&
					((message, ...rest) => {
						this.onWire?.("in", message);
						next(message, ...rest);
					});
			},
		});
	}

	override async send(...message: Parameters<StreamableHTTPClientTransport["send"]>): Promise<void> {
		this.onWire?.("out", message[0]);
		await super.send(...message);
	}
}

export interface HttpDeviceOptions {
	/** `http://HOST/mcp`. */
	url: string;
	/** Is sent as `Authorization: Bearer <token>`. */
	token?: string | undefined;
	/** For tests. */
	callTimeoutMs?: number;
	onProblem?(problem: string): void;
}

/** From its making to `close`. */
export class HttpDevice {
	/** Settles when the device was reached for the first time, or the first attempt has failed. */
	readonly tried: Promise<void>;
	readonly #options: HttpDeviceOptions;
	readonly #devices: Devices;
	readonly #backoff = new Backoff({ minimumMs: 1000, maximumMs: 60_000 });
	#session: DeviceSession | undefined;
	#timer: NodeJS.Timeout | undefined;
	#closed = false;

	constructor(devices: Devices, options: HttpDeviceOptions) {
		this.#devices = devices;
		this.#options = options;
		this.tried = this.#connect();
	}

	/** May be called twice. */
	close(): void {
		this.#closed = true;
		clearTimeout(this.#timer);
		this.#session?.close("closed by the hub");
	}

	async #connect(): Promise<void> {
		const { url, token, callTimeoutMs, onProblem } = this.#options;
		const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
		const transport = new WatchedTransport(new URL(url), { requestInit: { headers } });
		const session = new DeviceSession({
			deviceId: url,
			via: "http",
			transport,
			modern: true,
			callTimeoutMs,
			hangUp() {},
			onProblem: (text) => onProblem?.(`${url}: ${text}`),
		});
		transport.onWire = (direction, message) => session.onWire?.(direction, JSON.stringify(message));
		this.#session = session;
		void session.ended.then(() => {
			if (!this.#closed) this.#timer = setTimeout(() => void this.#connect(), this.#backoff.next()).unref();
		});
		await this.#devices.add(session);
		if (!session.over) this.#backoff.reset();
	}
}
