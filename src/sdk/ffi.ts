// Native functions; each is there only where a manifest declares it under `ffi`.

import ModuleFFI from "mc/ffi";

export interface Natives {
	esp_chip_info(info: ArrayBuffer): void;
	esp_flash_get_size(chip: number, size: ArrayBuffer): number;
	esp_flash_read(chip: number, bytes: ArrayBuffer, address: number, length: number): number;
	esp_get_free_heap_size(): number;
	esp_get_minimum_free_heap_size(): number;
	esp_ota_get_running_partition(): number;
	esp_ota_get_state_partition(partition: number, state: ArrayBuffer): number;
	esp_ota_mark_app_invalid_rollback_and_reboot(): number;
	esp_ota_mark_app_valid_cancel_rollback(): number;
	esp_partition_find_first(type: number, subtype: number, label: number): number;
	esp_read_mac(address: ArrayBuffer, type: number): number;
	esp_reset_reason(): number;
	esp_restart(): void;
	esp_rom_gpio_connect_out_signal(pin: number, signal: number, invertOutput: number, invertEnable: number): void;
	gpio_set_direction(pin: number, mode: number): number;
	gpio_set_drive_capability(pin: number, strength: number): number;
	temperature_sensor_install(configuration: ArrayBuffer, handle: ArrayBuffer): number;
	temperature_sensor_uninstall(handle: number): number;
	temperature_sensor_enable(handle: number): number;
	temperature_sensor_disable(handle: number): number;
	temperature_sensor_get_celsius(handle: number, reading: ArrayBuffer): number;
}

export type NativesConstructor = new () => Natives;

// Moddable's build types exactly the functions that the board's manifests declare.
const FFI = ModuleFFI as unknown as NativesConstructor;
export default FFI;
