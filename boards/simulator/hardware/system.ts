// The simulated device's identity, network and restart.

import { VERSION } from "base/version";
import type { FirmwareSlot } from "hardware/firmware";
import type { Network } from "hardware/network";
import type { System } from "hardware/system";
import type { Wifi } from "hardware/wifi";
import config from "mc/config";
import { deviceUuid, isMac, macFromUuid } from "settings/identity";
import type { PreferenceStore } from "settings/preference-store";
import { restart } from "simulator/restart";
import { CHIP_INFO, FLASH_BYTES, IMAGE, PARTITIONS } from "simulator/slots";
import { SimulatedFirmware } from "./firmware.js";
import { SimulatedWifi } from "./wifi.js";

/** The address comes from `config.device_id` where that is one, else from the UUID. */
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

	constructor(settings: PreferenceStore) {
		this.network = Object.freeze({ type: "wifi", ssid: "simulated", rssi: -55, ip: "127.0.0.1", channel: 6 });
		this.image = Object.freeze({ compile_time: `${IMAGE.date}T${IMAGE.time}Z`, idf_version: IMAGE.idfVersion, elf_sha256: IMAGE.elfSha256 });
		this.firmware = new SimulatedFirmware();
		this.wifi = (config as { wifi?: unknown }).wifi === "simulated" ? new SimulatedWifi() : undefined;
		this.uuid = deviceUuid(settings);
		const given: unknown = (config as { device_id?: unknown }).device_id;
		const address = typeof given === "string" ? given.toLowerCase() : undefined;
		this.macAddress = isMac(address) ? address : macFromUuid(this.uuid);
	}

	restart(): void {
		restart();
	}
}
