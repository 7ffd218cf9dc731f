// Moddable's listening TCP socket (ECMA-419).

import Listener from "embedded:io/socket/listener";
import type { Socket } from "./tcp.js";

export interface ListenerOptions {
	port?: number | undefined;
	/** So many connections wait to be read. */
	onReadable(count: number): void;
}

/** As much of a listening socket as is used here. */
export interface ListeningSocket {
	readonly port: number;
	/** The next connection; it works once a TCP socket is made `from` it. */
	read(): Socket | undefined;
	close(): void;
}

const TcpListener = Listener as unknown as new (options: ListenerOptions) => ListeningSocket;
export default TcpListener;
