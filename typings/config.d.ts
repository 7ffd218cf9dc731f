// The `config` part of the manifests together with the NAME=value arguments of mcconfig (module "mc/config").

declare module "mc/config" {
	/** Nobody has checked it: what is read has to be validated. */
	const config: { readonly [name: string]: unknown };
	export default config;
}
