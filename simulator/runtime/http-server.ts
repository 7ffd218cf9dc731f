// "embedded:network/http/server": ECMA-419's HTTP server over the listening socket class that it is given; bodies by their length.

interface Socket {
	format: string;
	read(count?: number): number | ArrayBuffer | undefined;
	write(data: Uint8Array): number;
	close(): void;
}

interface Listener {
	read(): Socket | undefined;
	readonly port: number;
	close(): void;
}

interface Response {
	status: number;
	headers: Map<string, string | number>;
}

interface Callbacks {
	onRequest?: (this: Connection, request: { method: string; path: string; headers: Map<string, string> }) => void;
	onReadable?: (this: Connection, count: number) => void;
	onResponse?: (this: Connection, response: Response) => void;
	onWritable?: (this: Connection, count: number) => void;
	onDone?: (this: Connection) => void;
	onError?: (this: Connection) => void;
}

const encode = (text: string) => new Uint8Array((ArrayBuffer as unknown as { fromString(text: string): ArrayBuffer }).fromString(text));

class Connection {
	#from: Socket | undefined;
	#socket: Socket | undefined;
	#callbacks: Callbacks = {};
	readonly #onClose: (connection: Connection) => void;
	#line: string | undefined = "";
	#request: { method: string; path: string; headers: Map<string, string> } | undefined;
	#readable = 0;
	#writable = 0;
	#left = 0;
	#head: Uint8Array | undefined;
	#replying = false;

	constructor(from: Socket, onClose: (connection: Connection) => void) {
		this.#from = from;
		this.#onClose = onClose;
	}

	accept(callbacks: Callbacks): void {
		const from = this.#from as Socket;
		this.#from = undefined;
		this.#callbacks = callbacks;
		this.#socket = new (from.constructor as new (options: object) => Socket)({
			from,
			onReadable: (count: number) => this.#receive(count),
			onWritable: (count: number) => {
				this.#writable = count;
				if (this.#replying) this.#send();
			},
			onError: () => {
				this.close();
				callbacks.onError?.call(this);
			},
		});
	}

	read(count = this.#readable): ArrayBuffer | undefined {
		const available = Math.min(count, this.#readable, this.#left);
		if (!(available > 0)) return undefined;
		this.#readable -= available;
		this.#left -= available;
		const data = (this.#socket as Socket).read(available) as ArrayBuffer;
		if (this.#left === 0) Promise.resolve().then(() => this.#reply());
		return data;
	}

	/** @throws Error when it is longer than what is writable, or than the body that was announced */
	write(data: Uint8Array): number {
		if (data.byteLength > this.#writable || data.byteLength > this.#left) throw new Error("would block");
		this.#writable = (this.#socket as Socket).write(data);
		this.#left -= data.byteLength;
		if (this.#left === 0) {
			this.#done();
			return 0;
		}
		return this.#writable;
	}

	respond({ status, headers }: Response): void {
		let head = `HTTP/1.1 ${status} ${status < 400 ? "OK" : "Error"}\r\n`;
		for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
		this.#left = Number(headers.get("content-length"));
		this.#head = encode(`${head}\r\n`);
		this.#replying = true;
		this.#send();
	}

	close(): void {
		this.#from?.close();
		this.#socket?.close();
		this.#from = this.#socket = undefined;
		this.#onClose(this);
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
			if (!this.#socket) return;
		}
		if (this.#line === undefined && this.#readable > 0 && this.#left > 0 && !this.#replying)
			this.#callbacks.onReadable?.call(this, Math.min(this.#readable, this.#left));
	}

	#takeLine(line: string): void {
		this.#line = "";
		if (!this.#request) {
			const [, method, path] = /^(\S+) (\S+) HTTP\/1\.1$/.exec(line) ?? [];
			if (method === undefined || path === undefined) throw new Error("badly formed");
			this.#request = { method, path, headers: new Map() };
		} else if (line !== "") {
			const colon = line.indexOf(":");
			this.#request.headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
		} else {
			this.#line = undefined;
			this.#left = Number.parseInt(this.#request.headers.get("content-length") ?? "0", 10);
			this.#callbacks.onRequest?.call(this, this.#request);
			if (this.#left === 0) this.#reply();
		}
	}

	#reply(): void {
		if (this.#socket) this.#callbacks.onResponse?.call(this, { status: 200, headers: new Map() });
	}

	#send(): void {
		while (this.#head && this.#writable > 0) {
			const piece = this.#head.subarray(0, this.#writable);
			this.#head = piece.length < this.#head.length ? this.#head.subarray(piece.length) : undefined;
			this.#writable = (this.#socket as Socket).write(piece);
		}
		if (this.#head) return;
		if (this.#left === 0) this.#done();
		else if (this.#writable > 0) this.#callbacks.onWritable?.call(this, Math.min(this.#writable, this.#left));
	}

	#done(): void {
		this.#callbacks.onDone?.call(this);
		this.close();
	}
}

class HTTPServer {
	#listener: Listener | undefined;
	#connections = new Set<Connection>();

	constructor(options: { io: new (options: object) => Listener; port?: number; onConnect(connection: Connection): void }) {
		this.#listener = new options.io({
			port: options.port ?? 80,
			target: this,
			onReadable: (count: number) => {
				for (; count > 0; count--) {
					const socket = this.#listener?.read();
					if (!socket) continue;
					const connection = new Connection(socket, (closed) => this.#connections.delete(closed));
					this.#connections.add(connection);
					options.onConnect(connection);
				}
			},
		});
	}

	get port(): number {
		return (this.#listener as Listener).port;
	}

	close(): void {
		for (const connection of [...this.#connections]) connection.close();
		this.#listener?.close();
		this.#listener = undefined;
	}
}

export default HTTPServer;
