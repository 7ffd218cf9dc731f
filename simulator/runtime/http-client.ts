// "embedded:network/http/client": ECMA-419's HTTP client over the socket and resolver classes that it is given, one request at a time.

interface Socket {
	format: string;
	read(count?: number): number | ArrayBuffer | undefined;
	write(data: Uint8Array): number;
	close(): void;
}

interface ClientOptions {
	host: string;
	port?: number;
	dns: { io: new (options: object) => Resolver };
	socket: { io: new (options: object) => Socket };
	onError?: (error?: Error) => void;
}

interface Resolver {
	resolve(request: { host: string; onResolved: (host: string, address: string) => void; onError: () => void }): void;
}

interface RequestOptions {
	method?: string;
	path?: string;
	headers?: Map<string, string>;
	onHeaders?: (this: Request, status: number, headers: Map<string, string>, statusText: string) => void;
	onReadable?: (this: Request, count: number) => void;
	onWritable?: (this: Request, count: number) => void;
	onDone?: (this: Request, error: Error | null) => void;
}

const encode = (text: string) => new Uint8Array((ArrayBuffer as unknown as { fromString(text: string): ArrayBuffer }).fromString(text));

class Request {
	readonly #read: (count?: number) => ArrayBuffer | undefined;
	readonly #write: (data: Uint8Array) => number;

	constructor(read: (count?: number) => ArrayBuffer | undefined, write: (data: Uint8Array) => number) {
		this.#read = read;
		this.#write = write;
	}

	read(count?: number): ArrayBuffer | undefined {
		return this.#read(count);
	}

	/** @throws Error when it is longer than what is writable, or than the body that was announced */
	write(data: Uint8Array): number {
		return this.#write(data);
	}
}

/** Knows bodies by their length and up to the end of the connection; not those in chunks. */
class HTTPClient {
	readonly #options: ClientOptions;
	#socket: Socket | undefined;
	#request: RequestOptions | undefined;
	#handle: Request | undefined;
	#writable = 0;
	#readable = 0;
	#connected = false;
	#head: Uint8Array | undefined;
	/** Bytes of the request's body that are still to be written. */
	#unsent = 0;
	#line: string | undefined;
	#status: { code: number; text: string } | undefined;
	#headers = new Map<string, string>();
	#left = Number.POSITIVE_INFINITY;
	#closed = false;

	constructor(options: ClientOptions) {
		this.#options = options;
		if (!options.host) throw new Error("host required");
		new options.dns.io(options.dns).resolve({
			host: options.host,
			onResolved: (host, address) => {
				if (this.#closed) return;
				try {
					this.#socket = new options.socket.io({
						...options.socket,
						address,
						host,
						port: options.port ?? 80,
						onReadable: (count: number) => this.#receive(count),
						onWritable: (count: number) => {
							this.#writable = count;
							this.#connected = true;
							this.#send();
						},
						onError: () => this.#fail(),
					});
				} catch {
					this.#fail();
				}
			},
			onError: () => this.#fail(),
		});
	}

	/** @throws Error for a second one at a time */
	request(options: RequestOptions): Request {
		if (this.#request) throw new Error("the simulator's client takes one request at a time");
		this.#request = options;
		let head = `${options.method ?? "GET"} ${options.path || "/"} HTTP/1.1\r\nhost: ${this.#options.host}\r\n`;
		for (const [name, value] of options.headers ?? []) {
			head += `${name}: ${value}\r\n`;
			if (name.toLowerCase() === "content-length") this.#unsent = Number.parseInt(value, 10);
		}
		this.#head = encode(`${head}\r\n`);
		this.#handle = new Request(
			(count) => this.#read(count),
			(data) => this.#write(data),
		);
		if (this.#connected) this.#send();
		return this.#handle;
	}

	close(): void {
		this.#closed = true;
		this.#request = undefined;
		this.#socket?.close();
		this.#socket = undefined;
	}

	#send(): void {
		while (this.#head && this.#writable > 0) {
			const piece = this.#head.subarray(0, this.#writable);
			this.#head = piece.length < this.#head.length ? this.#head.subarray(piece.length) : undefined;
			this.#writable = (this.#socket as Socket).write(piece);
		}
		if (this.#head || !this.#request) return;
		if (this.#line === undefined && !this.#status) this.#line = "";
		if (this.#unsent > 0 && this.#writable > 0) this.#request.onWritable?.call(this.#handle as Request, Math.min(this.#writable, this.#unsent));
	}

	#write(data: Uint8Array): number {
		if (data.byteLength > this.#writable || data.byteLength > this.#unsent) throw new Error("would block");
		this.#unsent -= data.byteLength;
		this.#writable = (this.#socket as Socket).write(data);
		return Math.min(this.#writable, this.#unsent);
	}

	#receive(count: number): void {
		this.#readable = count;
		const socket = this.#socket as Socket;
		while (this.#line !== undefined && this.#readable > 0) {
			socket.format = "number";
			this.#line += String.fromCharCode(socket.read() as number);
			this.#readable--;
			socket.format = "buffer";
			if (this.#line.endsWith("\r\n")) this.#takeLine(this.#line.slice(0, -2));
			if (this.#closed) return;
		}
		if (this.#line === undefined && this.#readable > 0)
			this.#request?.onReadable?.call(this.#handle as Request, Math.min(this.#readable, this.#left));
	}

	#takeLine(line: string): void {
		this.#line = "";
		if (!this.#status) {
			const [, code, text] = /^\S+ (\d+) (.*)$/.exec(line) ?? [];
			if (code === undefined) throw new Error("bad response");
			this.#status = { code: Number(code), text: text ?? "" };
		} else if (line !== "") {
			const colon = line.indexOf(":");
			this.#headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
		} else {
			this.#line = undefined;
			const length = this.#headers.get("content-length");
			if (length !== undefined) this.#left = Number.parseInt(length, 10);
			const { code, text } = this.#status;
			this.#request?.onHeaders?.call(this.#handle as Request, code, this.#headers, text);
			if (this.#left === 0) this.#done();
		}
	}

	#read(count = this.#readable): ArrayBuffer | undefined {
		const available = Math.min(count, this.#readable, this.#left);
		if (!(available > 0)) return undefined;
		this.#readable -= available;
		this.#left -= available;
		const data = (this.#socket as Socket).read(available) as ArrayBuffer;
		if (this.#left === 0) Promise.resolve().then(() => this.#done());
		return data;
	}

	#done(): void {
		const request = this.#request;
		this.#request = undefined;
		request?.onDone?.call(this.#handle as Request, null);
	}

	#fail(): void {
		const request = this.#request;
		this.#request = undefined;
		request?.onDone?.call(this.#handle as Request, new Error());
		this.#options.onError?.();
		this.close();
	}
}

export default HTTPClient;
