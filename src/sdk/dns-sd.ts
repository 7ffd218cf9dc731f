// Moddable's DNS-SD: services announced in the local network by multicast DNS.

import DNSSD from "embedded:network/dnssd";

/** A name or a service, until `close`. */
export interface Announced {
	close(): void;
}

/** As much of DNS-SD as is used here. */
export interface ServiceDiscovery {
	/** Asks the network whether somebody has `host.local`; then answers for it. */
	claim(options: { host: string; onReady(): void; onError(): void }): Announced;
	/** Announces a service. A `Map` as `txt` comes out empty in SDK 8.2.3, the bytes of the record do not. */
	advertise(options: { serviceType: string; name: string; host: string; port: number; txt: Uint8Array }): Announced;
	/** Withdraws everything, and closes the socket with the last one. */
	close(): void;
}

const DnsSd = DNSSD as unknown as new (options: { socket: { io: unknown } }) => ServiceDiscovery;
export default DnsSd;
