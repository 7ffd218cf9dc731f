// ECMA-419's TCP and UDP sockets and the name resolver in Moddable (modules/io/socket, examples/io/udp/dns), as far as this project uses them.

declare module "embedded:io/socket/tcp" {
	type Bytes = ArrayBufferLike | ArrayBufferView;

	export type Options = ((({ address: string } | { host: string }) & { port: number }) | { from: TCP }) & {
		nodelay?: boolean;
		/** `bytes` is the total of what can be read now. */
		onReadable?: (this: TCP, bytes: number) => void;
		/** Connected, or there is room again: `bytes` can be written now. */
		onWritable?: (this: TCP, bytes: number) => void;
		/** The connection is lost or was never made; the socket must still be closed. */
		onError?: (this: TCP) => void;
		format?: "number" | "buffer";
		target?: any;
	};

	/** Nothing may be thrown out of its callbacks, and only `close` may be called after `onError`. */
	export default class TCP {
		constructor(options: Options);
		readonly remoteAddress: string | undefined;
		readonly remotePort: number | undefined;
		read(byteLength?: number): number | ArrayBuffer;
		read(buffer: Bytes): void;
		/** Throws when the data is longer than the room that is left. */
		write(value: number | Bytes): void;
		close(): void;
		get format(): "number" | "buffer";
		set format(value: "number" | "buffer");
	}
}

declare module "embedded:io/socket/udp" {
	type Bytes = ArrayBufferLike | ArrayBufferView;

	export default class UDP {
		constructor(options: {
			port?: number;
			address?: string;
			onReadable?: (this: UDP, packets: number) => void;
			onError?: () => void;
			format?: "buffer";
			target?: any;
		});
		write(packet: Bytes, address: string, port: number): void;
		read(): ArrayBuffer & { address: string; port: number };
		close(): void;
	}
}

declare module "embedded:network/dns/resolver/udp" {
	export default class Resolver {
		constructor(options: { servers: readonly string[]; socket: { io: new (options: any) => any } });
		/** Exactly one of the two callbacks is called, unless `close` comes first. */
		resolve(request: { host: string; onResolved: (host: string, address: any) => void; onError: (host: string) => void }): void;
		close(): void;
	}
}
