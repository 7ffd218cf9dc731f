// TLS settings: which certificates the device trusts, those of some public CAs and those that a board brings itself.

import type { ConnectionState } from "../net/connection-state.js";
import type { SafeSocketOptions } from "../net/safe-socket.js";
import Resource from "../sdk/resource.js";
import type { SocketOptions } from "../sdk/tcp.js";
import TlsSocket from "../sdk/tls-socket.js";
import { RECORD_BYTES } from "./handshake-verifier.js";
import { type SecureOptions, TLS_OVERHEAD_BYTES, TlsRecordSocket } from "./record-socket.js";

/** TLS for the transports and for HTTP. */
export interface TlsSettings {
	/** The options of a `SafeSocket` with TLS below it. */
	socketOptions(connection: ConnectionState): SafeSocketOptions;
}

/** Moddable's calls back without its target. */
class TargetedTlsSocket extends TlsSocket {
	constructor(options: SocketOptions) {
		super({
			...options,
			onReadable: (count) => options.onReadable?.(count),
			onWritable: (count) => options.onWritable?.(count),
			onError: () => options.onError?.(),
		});
	}
}

const CURVES = Object.freeze([23, 24]);

/** TLS that trusts these certificates. */
export function tlsTrusting(trusted: () => readonly Uint8Array[], legacyHosts: readonly string[] = []): TlsSettings {
	const secure: SecureOptions = {
		verify: false,
		cache: false,
		tls_elliptic_curves: CURVES,
		tls_max_fragment_length: RECORD_BYTES,
		trusted,
		legacyHosts,
	};
	return {
		socketOptions: (connection) => ({
			base: TargetedTlsSocket,
			connection,
			overheadBytes: TLS_OVERHEAD_BYTES,
			writeBytes: RECORD_BYTES,
			TCP: { io: TlsRecordSocket },
			secure,
		}),
	};
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
