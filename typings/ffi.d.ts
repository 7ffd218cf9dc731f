// Native functions that a manifest declares under `ffi`; Moddable's build makes an exact typing from that, this one serves without it.

declare module "mc/ffi" {
	export default class FFI {
		esp_get_free_heap_size(): number;
		esp_get_minimum_free_heap_size(): number;
		esp_read_mac(address: ArrayBuffer, type: number): number;
		esp_restart(): void;
	}
}
