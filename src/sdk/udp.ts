// Moddable's UDP socket (ECMA-419).

import UDP from "embedded:io/socket/udp";

/** What came, and from where. */
export type Datagram = ArrayBuffer & { address: string; port: number };

export interface UdpOptions {
	/** The port to listen on; any where it is not given. */
	port?: number | undefined;
	/** So many datagrams wait to be read. */
	onReadable(count: number): void;
	onError?(): void;
}

/** As much of a UDP socket as is used here; nothing may be thrown out of its callbacks. */
export interface Udp {
	/** The next datagram; undefined when none waits. */
	read(): Datagram | undefined;
	write(packet: ArrayBufferLike, address: string, port: number): void;
	/** Joins and leaves a multicast group; not on every platform. */
	add?(group: string): void;
	remove?(group: string): void;
	close(): void;
}

const UdpSocket = UDP as unknown as new (options: UdpOptions) => Udp;
export default UdpSocket;
