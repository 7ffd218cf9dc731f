// The facts of an ESP32 on fakes of Moddable's `net` and of the native functions.

import { expect, test } from "@jest/globals";
import { facts, installFakes, made } from "../fakes/moddable.js";

installFakes();
const { Esp32System } = await import("drivers/esp32-system");
const { Settings } = await import("system/settings");

const system = new Esp32System({ chip: "esp32c3", settings: new Settings("esp32-test") });

test("knows chip, address and memory", () => {
	expect(system.chip).toBe("esp32c3");
	expect(system.macAddress).toBe("24:6f:28:0a:bc:ff");
	expect([system.freeHeap, system.minimumFreeHeap]).toEqual([150_000, 120_000]);
});

test("tells the link as it is at that moment", () => {
	const network = system.network;
	expect([network.type, network.ssid, network.rssi, network.ip]).toEqual(["wifi", "home", -50, "192.0.2.7"]);
	Object.assign(facts, { SSID: undefined, RSSI: 0, IP: undefined });
	expect([network.ssid, network.rssi, network.ip]).toEqual([undefined, undefined, undefined]);
});

test("restarts the chip", () => {
	system.restart();
	expect(made.restarts).toBe(1);
});
