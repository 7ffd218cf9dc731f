// Constants of the SDK's TLS (modules/crypt/ssl/ssl_constants.js), as far as this project uses them; the SDK has no typings for it.

declare module "ssl/constants" {
	export const RSA: unknown;
	export const DHE_RSA: unknown;
	export const ECDHE_RSA: unknown;
	export const AES: unknown;
	export const CBC: unknown;
	export const GCM: unknown;
	export const SHA1: unknown;
	export const SHA256: unknown;
}
