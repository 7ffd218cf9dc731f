// ECMA-419's HTTP server and listening socket in Moddable (examples/io/listener/httpserver, modules/io/socket), as far as this project uses them.

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
