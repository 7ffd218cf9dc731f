// Moddable's DNS-SD, which the registry's package of typings lacks; src/sdk/dns-sd.ts says what is used of it.

declare module "embedded:network/dnssd" {
	const DNSSD: unknown;
	export default DNSSD;
}
