// Native functions that a manifest declares under `ffi`; Moddable's build makes an exact typing from that. See src/sdk/ffi.ts.

declare module "mc/ffi" {
	const FFI: new () => object;
	export default FFI;
}
