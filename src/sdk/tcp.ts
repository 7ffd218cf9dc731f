// Moddable's TCP socket (ECMA-419).

import TCP from "embedded:io/socket/tcp";

/** What a socket is opened with; other members pass through untouched. */
export interface SocketOptions {
	/** `count` is the total of what can be read now, in bytes. */
	onReadable?: ((count: number) => void) | undefined;
	/** Connected, or there is room again: `count` bytes can be written now. */
	onWritable?: ((count: number) => void) | undefined;
	/** The connection is lost or was never made; the socket must still be closed. */
	onError?: (() => void) | undefined;
	[other: string]: unknown;
}

/** As much of a socket as is used here; nothing may be thrown out of its callbacks. */
export interface Socket {
	/** Undefined when there is nothing to read. */
	read(count?: number | Uint8Array): number | ArrayBuffer | undefined;
	/** Returns how much may be written now; undefined when the connection is dead. */
	write(bytes: Uint8Array | ArrayBuffer): number | undefined;
	close(): void;
}

export type SocketConstructor = new (options: SocketOptions) => Socket;

const TcpSocket = TCP as unknown as SocketConstructor;
export default TcpSocket;
