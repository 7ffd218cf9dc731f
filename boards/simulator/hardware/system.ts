// The simulated device's identity, network and restart.

import type { FirmwareSlot, Network, System, Wifi } from "hardware/hardware";
import config from "mc/config";
import { restart } from "simulator/restart";
import { deviceUuid, isMac, macFromUuid } from "system/identity";
import type { Settings } from "system/settings";
import { VERSION } from "system/version";
import { SimulatedFirmware } from "./firmware.js";
import { SimulatedWifi } from "./wifi.js";

/** The address comes from `config.device_id` where that is one, else from the UUID. */
export class SimulatedSystem implements System {
	readonly version: string = VERSION;
	readonly chip: string = "simulator";
	readonly temperature: number = 42.5;
	readonly network: Network;
	readonly firmware: FirmwareSlot;
	readonly wifi: Wifi | undefined;
	readonly macAddress: string;
	readonly uuid: string;

	constructor(settings: Settings) {
		this.network = Object.freeze({ type: "wifi", ssid: "simulated", rssi: -55, ip: "127.0.0.1" });
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
