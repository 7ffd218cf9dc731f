// TLS settings: which certificates the device trusts, those of some public CAs and those that a board brings itself.

import Resource from "../sdk/resource.js";
import type { SocketConstructor } from "../sdk/tcp.js";
import TlsSocket from "../sdk/tls-socket.js";

/** TLS for the transports and for HTTP. */
export interface TlsSettings {
	/** The TLS socket's class. */
	readonly io: SocketConstructor;
	readonly secure: SecureOptions;
}

/** Options for the SDK's TLS socket, and for `TlsRecordSocket` below it. */
export interface SecureOptions {
	/** Off, because the SDK's check lets forged certificates through: `TlsRecordSocket` has a better one. */
	readonly verify: false;
	/** Off: a resumed session would leave nothing to check. */
	readonly cache: false;
	/** Trusted certificates in DER, of CAs or of servers themselves; called once for each connection. */
	readonly trusted: () => readonly Uint8Array[];
	/** P-256 and P-384 by their numbers in TLS: without the latter a server with a key on it refuses. */
	readonly tls_elliptic_curves: readonly number[];
	/** Names and addresses in lower case of servers that may choose an old cipher suite; offered to all if there is one. */
	readonly legacyHosts?: readonly string[];
	/** The name that the server's certificate must have; where it is not given, the one that was called. */
	readonly serverName?: string;
}

const CURVES = Object.freeze([23, 24]);

/** TLS that trusts these certificates. */
export function tlsTrusting(trusted: () => readonly Uint8Array[], legacyHosts: readonly string[] = []): TlsSettings {
	return { io: TlsSocket, secure: { verify: false, cache: false, tls_elliptic_curves: CURVES, trusted, legacyHosts } };
}

/** The resources in src/certificates; the simulator has none of them and trusts the CAs of the computer. */
export const PUBLIC_CAS = Object.freeze([
	"isrg-root-x1.der",
	"isrg-root-x2.der",
	"digicert-global-root-ca.der",
	"digicert-global-root-g2.der",
	"digicert-global-root-g3.der",
	"globalsign-root-r3.der",
	"globalsign-root-r6.der",
	"amazon-root-ca-1.der",
	"gts-root-r1.der",
	"gts-root-r4.der",
	"usertrust-rsa.der",
	"usertrust-ecc.der",
	"certum-trusted-network-ca.der",
	"go-daddy-root-g2.der",
]);

/**
 * TLS that trusts the public CAs, and what the build adds to them.
 * @param own `certificate` of the configuration: names of resources that hold a certificate in DER, of a CA or of a server
 * itself; several as an array or separated by commas. A missing one costs a line in the log.
 * @param legacyHosts `legacy_tls` of the configuration, see `SecureOptions`; as an array or separated by commas
 */
export function createTls(own: unknown, legacyHosts: unknown, log: (line: string) => void): TlsSettings {
	const names = namesOf(own).filter((name) => {
		if (Resource.exists(name)) return true;
		log(`tls: there is no certificate "${name}" in this firmware; name it under "resources" in a manifest`);
		return false;
	});
	return tlsTrusting(
		() => [...names, ...PUBLIC_CAS.filter((name) => Resource.exists(name))].map((name) => new Uint8Array(new Resource(name))),
		namesOf(legacyHosts).map((host) => host.toLowerCase()),
	);
}

function namesOf(own: unknown): string[] {
	const list = Array.isArray(own) ? own : typeof own === "string" ? own.split(",") : [];
	return list.filter((name) => typeof name === "string" && name.trim() !== "").map((name) => name.trim());
}
