// The simulated device's identity, network and restart.

import type { Timers } from "base/timers";
import { VERSION } from "base/version";
import type { FirmwareSlot } from "hardware/firmware";
import type { Network } from "hardware/network";
import type { System } from "hardware/system";
import type { Wifi } from "hardware/wifi";
import { deviceUuid, isMac, macFromUuid } from "settings/identity";
import type { PreferenceStore } from "settings/preference-store";
import { CHIP_INFO, FLASH_BYTES, IMAGE, PARTITIONS } from "simulator/slots";
import { SimulatedFirmware } from "./firmware.js";
import type { Show } from "./panel.js";
import { SimulatedWifi } from "./wifi.js";

export interface SimulatedSystemOptions {
	show: Show;
	timers: Timers;
	settings: PreferenceStore;
	/** The values that the build was given. */
	config: { readonly [name: string]: unknown };
	restart(): void;
}

/** Its address is `config.device_id` if that is one, or made from the UUID. */
export class SimulatedSystem implements System {
	readonly version: string = VERSION;
	readonly chip: string = "simulator";
	readonly temperature: number = 42.5;
	readonly chipInfo: object = CHIP_INFO;
	readonly flashSize: number = FLASH_BYTES;
	readonly partitions: readonly object[] = PARTITIONS;
	readonly image: object;
	readonly network: Network;
	readonly firmware: FirmwareSlot;
	readonly wifi: Wifi | undefined;
	readonly macAddress: string;
	readonly uuid: string;

	readonly #restart: () => void;

	constructor({ show, timers, settings, config, restart }: SimulatedSystemOptions) {
		this.#restart = restart;
		this.network = Object.freeze({ type: "wifi", ssid: "simulated", rssi: -55, ip: "127.0.0.1", channel: 6 });
		this.image = Object.freeze({ compile_time: `${IMAGE.date}T${IMAGE.time}Z`, idf_version: IMAGE.idfVersion, elf_sha256: IMAGE.elfSha256 });
		this.firmware = new SimulatedFirmware(show);
		this.wifi = config.wifi === "simulated" ? new SimulatedWifi(timers) : undefined;
		this.uuid = deviceUuid(settings);
		const given = config.device_id;
		const address = typeof given === "string" ? given.toLowerCase() : undefined;
		this.macAddress = isMac(address) ? address : macFromUuid(this.uuid);
	}

	restart(): void {
		this.#restart();
	}
}
