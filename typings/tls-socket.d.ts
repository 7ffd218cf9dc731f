// The TLS socket of Moddable (examples/io/tcp/tlssocket), whose typings the SDK keeps under another name.

declare module "embedded:io/socket/tcp/tls" {
	/** Used only by handing it to `createWebSocketTransport` as `tls.io`. */
	const TlsSocket: new (options: object) => object;
	export default TlsSocket;
}
