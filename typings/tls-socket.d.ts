// The TLS socket of Moddable (examples/io/tcp/tlssocket), whose typings the SDK keeps under another name; typed in src/sdk.

declare module "embedded:io/socket/tcp/tls" {
	const TlsSocket: unknown;
	export default TlsSocket;
}
