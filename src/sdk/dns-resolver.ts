// Moddable's DNS resolver over UDP.

import Resolver from "embedded:network/dns/resolver/udp";

export interface ResolverOptions {
	/** IPv4 addresses of DNS servers. */
	readonly servers: readonly string[];
	/** The UDP socket class to ask with. */
	readonly socket: { readonly io: new (options: never) => unknown };
}

export interface ResolveRequest {
	host: string;
	/** Exactly one of the two is called, unless `close` comes first. */
	onResolved(host: string, address: string): void;
	onError(host: string): void;
}

/** As much of the resolver as is used here. */
export interface NameResolver {
	resolve(request: ResolveRequest): void;
	close(): void;
}

const DnsResolver = Resolver as unknown as new (options: ResolverOptions) => NameResolver;
export default DnsResolver;
