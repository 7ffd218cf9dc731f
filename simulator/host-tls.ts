// TLS for the machine's sockets: Node's, held to what the SDK's TLS can do.
import { readFileSync } from "node:fs";
import net from "node:net";
import tls from "node:tls";

/** The firmware's cipher suites (src/sdk/cipher-suites.ts), by OpenSSL's names. */
const CIPHERS = "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256";
/** Those for servers that the build names. */
const LEGACY_CIPHERS =
	":DHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-SHA256:DHE-RSA-AES128-SHA256:DHE-RSA-AES256-SHA256:AES128-SHA256:AES256-SHA256:AES128-SHA:AES256-SHA";

/** Where and to whom a connection goes. */
export interface TlsTarget {
	address: string;
	port: number;
	noDelay: boolean;
	/** The name or IPv4 address that the certificate must have. */
	serverName: string;
	/** In DER; trusted beside Node's own, and those of NODE_EXTRA_CA_CERTS. */
	certificates: readonly Uint8Array[];
	/** May the server choose an old cipher suite? */
	legacy: boolean;
}

/** Connects. The socket is ready at "secureConnect". @throws Error for a certificate that is none */
export function connectTls({ address, port, noDelay, serverName, certificates, legacy }: TlsTarget): tls.TLSSocket {
	const socket = tls.connect({
		host: address,
		port,
		...(net.isIP(serverName) ? {} : { servername: serverName }),
		...(certificates.length > 0 ? { ca: [...tls.rootCertificates, ...extraCertificates(), ...certificates.map(pem)] } : {}),
		checkServerIdentity: (_, certificate) => tls.checkServerIdentity(serverName, certificate),
		minVersion: "TLSv1.2",
		maxVersion: "TLSv1.2",
		ciphers: CIPHERS + (legacy ? LEGACY_CIPHERS : ""),
		ecdhCurve: "prime256v1:secp384r1",
		// A session taken up again would not be checked again.
		session: undefined,
	});
	return socket.setNoDelay(noDelay);
}

/** Why TLS failed, in the words that the firmware has for it; undefined where the network is to blame. */
export function tlsFailure(error: NodeJS.ErrnoException, serverName: string): string | undefined {
	const { code = "", message } = error;
	switch (code) {
		case "ERR_TLS_CERT_ALTNAME_INVALID": {
			const { cert } = error as { cert?: { subjectaltname?: string } };
			const names = cert?.subjectaltname?.replace(/(DNS|IP Address):/g, "") ?? "no host";
			return `TLS failed: the server's certificate is for ${names}, not for ${serverName}`;
		}
		case "CERT_HAS_EXPIRED":
			return "TLS failed: the server's certificate has expired";
		case "CERT_NOT_YET_VALID":
			return "TLS failed: the server's certificate is not valid yet";
		case "DEPTH_ZERO_SELF_SIGNED_CERT":
		case "SELF_SIGNED_CERT_IN_CHAIN":
		case "UNABLE_TO_GET_ISSUER_CERT":
		case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
		case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
			return "TLS failed: no CA that is trusted here has signed the server's certificate";
		case "ERR_SSL_WRONG_VERSION_NUMBER":
		case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
			return "the server does not speak TLS";
	}
	// Node has no code for all of these.
	if (/key usage|invalid CA/i.test(message)) return "TLS failed: the server's certificate comes from one which is no CA";
	if (/^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET)/.test(code)) return undefined;
	return `TLS failed: ${code.startsWith("ERR_SSL_") ? code.slice(8).toLowerCase().replaceAll("_", " ") : message}`;
}

function extraCertificates(): string[] {
	const file = process.env.NODE_EXTRA_CA_CERTS;
	if (!file) return [];
	try {
		return [readFileSync(file, "utf8")];
	} catch {
		// Node has warned of it already.
		return [];
	}
}

function pem(certificate: Uint8Array): string {
	const lines =
		Buffer.from(certificate)
			.toString("base64")
			.match(/.{1,64}/g) ?? [];
	return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
