// The facts of an ESP32 on fakes of Moddable's `net` and of the native functions.

import { expect, test } from "@jest/globals";
import { FakeWifi, facts, installFakes, made, slot } from "../fakes/moddable.js";

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

test("knows why the chip started", () => {
	expect(system.resetReason).toBe("panic");
	facts.resetReason = 99;
	expect(new Esp32System({ chip: "esp32c3", settings: new Settings("esp32-test") }).resetReason).toBe("unknown");
});

test("joins a Wi-Fi, and hears only of the last one", () => {
	const told: string[] = [];
	const callbacks = { onUp: () => told.push("up"), onDown: (reason: string) => told.push(reason) };
	system.wifi.join("home", "correct horse", callbacks);
	const [first] = FakeWifi.stations;
	expect([first?.options, FakeWifi.mode]).toEqual([{ ssid: "home", password: "correct horse" }, 1]);
	first?.onNotify("connect");
	first?.onNotify("gotIP");
	first?.onNotify("disconnect", 0);
	first?.onNotify("disconnect", -1);
	expect(told).toEqual(["up", '"home" was lost or is not there', "the password was refused"]);
	system.wifi.join("open", "", callbacks);
	expect([FakeWifi.stations[1]?.options, first?.closed]).toEqual([{ ssid: "open" }, 1]);
	first?.onNotify("gotIP");
	system.wifi.leave();
	FakeWifi.stations[1]?.onNotify("gotIP");
	expect(told).toHaveLength(3);
	expect(FakeWifi.disconnects).toBe(1);
});

test("finds networks, each once, the strongest first", () => {
	let found: unknown;
	system.wifi.scan((networks) => {
		found = networks;
	});
	for (const network of [
		{ ssid: "far", rssi: -80, authentication: "none" },
		{ ssid: "near", rssi: -70, authentication: "wpa2_psk" },
		{ ssid: "", rssi: -10, authentication: "none" },
		{ ssid: "near", rssi: -50, authentication: "wpa2_psk" },
		{ ssid: "near", rssi: -60, authentication: "wpa2_psk" },
	])
		FakeWifi.scanned?.(network);
	expect(found).toBeUndefined();
	FakeWifi.scanned?.(null);
	expect(found).toEqual([
		{ ssid: "near", rssi: -50, secure: true },
		{ ssid: "far", rssi: -80, secure: false },
	]);
});

test("opens an access point with the station beside it, so that it can look for networks", () => {
	expect(system.wifi.openAccessPoint("device-1234")).toBe("192.168.4.1");
	expect([FakeWifi.mode, FakeWifi.accessPoints]).toEqual([3, [{ ssid: "device-1234", station: true }]]);
	system.wifi.closeAccessPoint();
	expect(FakeWifi.mode).toBe(1);
});

test("writes a firmware into the other slot, and lets go of it", () => {
	const { firmware } = system;
	expect(firmware.size).toBe(slot.size);
	const writer = firmware.open(4);
	writer.write(Uint8Array.of(1, 2));
	writer.write(Uint8Array.of(3, 4));
	writer.complete();
	writer.close();
	writer.close();
	expect(slot).toMatchObject({ open: 0, written: [1, 2, 3, 4], complete: 1 });
	expect(() => firmware.open(slot.size + 1)).toThrow(RangeError);
	expect(slot.open).toBe(0);
	slot.size = 0;
	expect(firmware.size).toBe(0);
});
