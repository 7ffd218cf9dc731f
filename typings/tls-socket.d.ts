// The TLS socket of Moddable (examples/io/tcp/tlssocket), whose typings the SDK keeps under another name.

declare module "embedded:io/socket/tcp/tls" {
	const TlsSocket: new (options: object) => object;
	export default TlsSocket;
}
