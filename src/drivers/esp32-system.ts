// An ESP32 and what runs on it: address, memory and restart from ESP-IDF (System API reference, "Misc System APIs"), the network
// link from Moddable's `net`.

import type { ImageInfo } from "../base/firmware-image.js";
import { VERSION } from "../base/version.js";
import type { FirmwareSlot } from "../hardware/firmware.js";
import type { Network } from "../hardware/network.js";
import type { System } from "../hardware/system.js";
import type { Wifi } from "../hardware/wifi.js";
import type { Natives, NativesConstructor } from "../sdk/ffi.js";
import type { Flash } from "../sdk/flash.js";
import type Net from "../sdk/net.js";
import type { Updates } from "../sdk/update.js";
import type { WifiConstructor } from "../sdk/wifi.js";
import { deviceUuid } from "../settings/identity.js";
import type { PreferenceStore } from "../settings/preference-store.js";
import { type ChipInfo, type Partition, readChipInfo, readFlashSize, readImage, readPartitions } from "./esp32-facts.js";
import { Esp32Firmware } from "./esp32-firmware.js";
import { Esp32Wifi } from "./esp32-wifi.js";

/** ESP-IDF's number for the address of the Wi-Fi station (`ESP_MAC_WIFI_STA`). */
const STATION = 0;
/** ESP-IDF's reasons for a start, by number (`esp_reset_reason_t`). */
const RESET_REASONS: readonly string[] = Object.freeze([
	"unknown",
	"power on",
	"reset pin",
	"software",
	"panic",
	"interrupt watchdog",
	"task watchdog",
	"watchdog",
	"deep sleep",
	"brownout",
	"SDIO",
	"USB",
	"JTAG",
	"efuse error",
	"power glitch",
	"CPU lock-up",
]);

/** The modules of the SDK that reach the chip; `esp32` of drivers/esp32 has them all. */
export interface Esp32 {
	/** The native functions that esp32-system.manifest.json declares. */
	readonly ffi: NativesConstructor;
	readonly flash: Flash;
	readonly net: typeof Net;
	readonly update: Updates;
	readonly wifi: WifiConstructor;
}

export interface Esp32SystemOptions {
	io: Esp32;
	/** The chip's name, such as "esp32s3". */
	chip: string;
	/** Where the UUID is kept. */
	settings: PreferenceStore;
	/** The chip's temperature sensor, if it has one. */
	sensor?: { readonly celsius: number | undefined } | undefined;
}

/** A chip of the ESP32 family. */
export class Esp32System implements System {
	readonly version: string = VERSION;
	readonly chip: string;
	readonly macAddress: string;
	readonly uuid: string;
	readonly network: Network;
	readonly wifi: Wifi;
	readonly firmware: FirmwareSlot;
	readonly resetReason: string;
	readonly #io: Esp32;
	readonly #natives: Natives;
	readonly #sensor: Esp32SystemOptions["sensor"];

	constructor(options: Esp32SystemOptions) {
		const { io } = options;
		this.#io = io;
		this.chip = options.chip;
		this.uuid = deviceUuid(options.settings);
		this.#sensor = options.sensor;
		this.#natives = new io.ffi();
		this.macAddress = readStationMac(this.#natives);
		this.network = new StationNetwork(io.net);
		this.wifi = new Esp32Wifi(io.wifi);
		this.firmware = new Esp32Firmware({ ...io, natives: this.#natives });
		this.resetReason = RESET_REASONS[this.#natives.esp_reset_reason()] ?? "unknown";
	}

	get temperature(): number | undefined {
		return this.#sensor?.celsius;
	}

	get chipInfo(): ChipInfo {
		return readChipInfo(this.#natives);
	}

	get flashSize(): number | undefined {
		return readFlashSize(this.#natives);
	}

	get partitions(): readonly Partition[] | undefined {
		return readPartitions(this.#natives);
	}

	get image(): ImageInfo | undefined {
		return readImage(this.#io.flash);
	}

	get freeHeap(): number {
		return this.#natives.esp_get_free_heap_size();
	}

	get minimumFreeHeap(): number {
		return this.#natives.esp_get_minimum_free_heap_size();
	}

	restart(): void {
		this.#natives.esp_restart();
	}
}

/** The Wi-Fi link as it is at the moment of asking. */
class StationNetwork implements Network {
	readonly type: string = "wifi";
	readonly #net: typeof Net;

	constructor(net: typeof Net) {
		this.#net = net;
	}

	get ssid(): string | undefined {
		return this.#net.get("SSID") || undefined;
	}

	get rssi(): number | undefined {
		// Without a link the SDK gives undefined or 0.
		return this.#net.get("RSSI") || undefined;
	}

	get ip(): string | undefined {
		return this.#net.get("IP") || undefined;
	}

	get channel(): number | undefined {
		// The radio has a channel even without a link.
		return this.ssid === undefined ? undefined : this.#net.get("CHANNEL") || undefined;
	}
}

function readStationMac(natives: Natives): string {
	const octets = new Uint8Array(6);
	natives.esp_read_mac(octets.buffer, STATION);
	return Array.from(octets, (octet) => octet.toString(16).padStart(2, "0")).join(":");
}
