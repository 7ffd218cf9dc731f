// "embedded:io/socket/tcp/tls": the TLS socket, with Node's TLS on the host in the place of Moddable's and of the firmware's checks below it.
import TCP, { type TcpOptions } from "./tcp.js";

/** As in src/tls/settings.ts; `verify` is not looked at, since Node always checks. */
interface SecureOptions {
	trusted?: () => readonly Uint8Array[];
	serverName?: string;
	legacyHosts?: readonly string[];
}

/** What the firmware's own socket below TLS is given on hardware. */
interface TlsOptions extends TcpOptions {
	secure?: SecureOptions;
	connection?: { stage: string; setReason(reason: string): void };
}

// What Moddable's keeps back for its records, of what TCP takes and of what is left after a write.
const OVERHEAD_BYTES = 96;
const LEFT_OVERHEAD_BYTES = 32;

/** A connection over TLS 1.2 with the cipher suites that the SDK has. */
class TlsSocket extends TCP {
	/** @throws Error for certificates that are none, and what TCP's throws */
	constructor(options: TlsOptions) {
		const { secure, connection, host = options.address ?? "", onWritable } = options;
		const serverName = secure?.serverName ?? host;
		super(
			{
				...options,
				onWritable(count) {
					if (count > OVERHEAD_BYTES) onWritable?.call(this, count - OVERHEAD_BYTES);
				},
			},
			{
				serverName,
				certificates: secure?.trusted?.() ?? [],
				legacy: secure?.legacyHosts?.includes(serverName.toLowerCase()) ?? false,
				onHandshake: () => {
					if (connection) connection.stage = "waiting for TLS";
				},
				onFailed: (reason) => connection?.setReason(reason),
			},
		);
	}

	override write(data: number | ArrayBuffer | ArrayBufferView): number {
		return Math.max(0, super.write(data) - LEFT_OVERHEAD_BYTES);
	}
}

export default TlsSocket;
