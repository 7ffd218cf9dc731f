// ECMA-419's HTTP client and server in Moddable (examples/io/tcp/httpclient, examples/io/listener/httpserver), as far as this project uses them.

declare module "embedded:network/http/client" {
	interface Request {
		/** At most `count` bytes of the body. */
		read(count?: number): ArrayBuffer | undefined;
		/** A piece of the body; returns how much may be written next. */
		write(data: Uint8Array): number;
	}

	export default class HTTPClient {
		constructor(options: {
			host: string;
			port?: number;
			dns: { io: new (options: any) => any };
			socket: { io: new (options: any) => any };
			onError?: (error?: Error) => void;
		});
		request(options: {
			method?: string;
			path?: string;
			headers?: Map<string, string>;
			onHeaders?: (this: Request, status: number, headers: Map<string, string>, statusText: string) => void;
			onReadable?: (this: Request, count: number) => void;
			onWritable?: (this: Request, count: number) => void;
			onDone?: (this: Request, error: Error | null) => void;
		}): Request;
		close(): void;
	}
}

declare module "embedded:network/http/server" {
	interface Connection {
		accept(options: object): void;
		read(count?: number): ArrayBuffer | undefined;
		write(data?: Uint8Array): number;
		respond(response: { status: number; headers: Map<string, string | number> }): void;
		close(): void;
	}

	export default class HTTPServer {
		constructor(options: { io: new (options: any) => any; port?: number; onConnect(connection: Connection): void });
		readonly port: number;
		close(): void;
	}
}

declare module "embedded:io/socket/listener" {
	/** A listening TCP socket; `read` gives the next connection. */
	export default class Listener {
		constructor(options: { port?: number; address?: string; onReadable?: (this: Listener, count: number) => void; target?: any });
		readonly port: number;
		read(): object | undefined;
		close(): void;
	}
}
