// The facts of an ESP32 on fakes of Moddable's `net` and of the native functions.

import { expect, test } from "@jest/globals";
import { Esp32System } from "drivers/esp32-system";
import { PreferenceStore } from "settings/preference-store";
import { FakeWifi, facts, fakeEsp32, made, slot } from "../fakes/moddable.js";

const system = new Esp32System({ io: fakeEsp32, chip: "esp32c3", settings: new PreferenceStore("esp32-test") });

test("knows chip, address and memory", () => {
	expect(system.chip).toBe("esp32c3");
	expect(system.macAddress).toBe("24:6f:28:0a:bc:ff");
	expect([system.freeHeap, system.minimumFreeHeap]).toEqual([150_000, 120_000]);
});

/** An entry of ESP-IDF's partition table ("Partition Tables", binary format). */
function entry(label: string, type: number, subtype: number, address: number, size: number): Buffer {
	const bytes = Buffer.alloc(32);
	bytes.set([0xaa, 0x50, type, subtype]);
	bytes.writeUInt32LE(address, 4);
	bytes.writeUInt32LE(size, 8);
	bytes.write(label, 12);
	return bytes;
}

const NVS = entry("nvs", 1, 2, 0x9000, 0x6000);
const OTA_0 = entry("ota_0", 0, 0x10, 0x10000, 0x1f0000);
const OTA_1 = entry("a label of 16 ch", 0, 0x11, 0x200000, 0x1fe000);
/** What stands behind the last entry: the table's checksum. */
const CHECKSUM = Buffer.concat([Buffer.from([0xeb, 0xeb]), Buffer.alloc(30, 0xff)]);

test("knows the chip's model, cores, revision and features, and the flash's size", () => {
	expect(system.chipInfo).toEqual({ model: 9, cores: 2, revision: 0x102, features: 0x12 });
	expect(system.flashSize).toBe(4_194_304);
	facts.flashSize = undefined;
	expect(system.flashSize).toBeUndefined();
});

test("reads the partition table up to its end, and which of its applications runs", () => {
	facts.partitionTable = Buffer.concat([NVS, OTA_0, OTA_1, CHECKSUM, OTA_0]);
	expect(system.partitions).toEqual([
		{ label: "nvs", type: 1, subtype: 2, address: 0x9000, size: 0x6000 },
		{ label: "ota_0", type: 0, subtype: 16, address: 0x10000, size: 0x1f0000 },
		{ label: "a label of 16 ch", type: 0, subtype: 17, address: 0x200000, size: 0x1fe000 },
	]);
	expect(system.firmware.running).toBe("a label of 16 ch");
	facts.runningSubtype = 0x10;
	expect(system.firmware.running).toBe("ota_0");
});

test("reads at most 16 partitions", () => {
	facts.partitionTable = Buffer.concat(Array.from({ length: 20 }, (_, i) => entry(`p${i}`, 1, i, i * 4096, 4096)));
	expect(system.partitions?.map(({ label }) => label)).toEqual(Array.from({ length: 16 }, (_, i) => `p${i}`));
});

test.each([
	["that is empty", Buffer.alloc(512, 0xff)],
	["that is encrypted", Buffer.alloc(512, 0x5a)],
	["that cannot be read", undefined],
])("does without a partition table %s", (_title, table) => {
	facts.partitionTable = table;
	expect([system.partitions, system.firmware.running]).toEqual([undefined, undefined]);
});

test("knows when and with what the running image was made", () => {
	const image = Buffer.alloc(32 + 256);
	image.writeUInt32LE(0xabcd5432, 32);
	image.write("12:34:56", 32 + 80);
	image.write("Jan  2 2026", 32 + 96);
	image.write("v6.0-dirty", 32 + 112);
	image.set(
		Array.from({ length: 32 }, (_, i) => i),
		32 + 144,
	);
	facts.runningImage = image;
	expect(system.image).toEqual({
		compile_time: "Jan  2 2026T12:34:56Z",
		idf_version: "v6.0-dirty",
		elf_sha256: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
	});
	expect(slot.open).toBe(0);
	image.fill(0, 32 + 80, 32 + 112);
	expect(system.image).toMatchObject({ compile_time: undefined, idf_version: "v6.0-dirty" });
});

test.each([
	["has no description", Buffer.alloc(512)],
	["is too short", Buffer.alloc(100)],
	["cannot be opened", undefined],
])("does without an image that %s", (_title, image) => {
	facts.runningImage = image;
	expect(system.image).toBeUndefined();
	expect(slot.open).toBe(0);
});

test("an image is on trial when the bootloader waits for its word", () => {
	for (const [state, onTrial] of [
		[0, false],
		[1, true],
		[2, false],
		[0xffff_ffff, false],
		[undefined, false],
	] as const) {
		facts.imageState = state;
		expect([state, system.firmware.onTrial]).toEqual([state, onTrial]);
	}
});

test("confirms the running image and rolls it back, and says so when ESP-IDF refuses", () => {
	made.natives.length = 0;
	system.firmware.confirm();
	expect(() => system.firmware.rollBack()).toThrow("the chip has restarted");
	expect(made.natives).toEqual(["esp_ota_mark_app_valid_cancel_rollback", "esp_ota_mark_app_invalid_rollback_and_reboot"]);
	facts.imageRefused = true;
	expect(() => system.firmware.confirm()).toThrow("ESP-IDF's error -1");
	expect(() => system.firmware.rollBack()).toThrow("ESP-IDF's error 5378");
});

test("tells the link as it is at that moment", () => {
	const network = system.network;
	expect([network.type, network.ssid, network.rssi, network.ip, network.channel]).toEqual(["wifi", "home", -50, "192.0.2.7", 11]);
	// The radio stays on its channel.
	Object.assign(facts, { SSID: undefined, RSSI: 0, IP: undefined });
	expect([network.ssid, network.rssi, network.ip, network.channel]).toEqual([undefined, undefined, undefined, undefined]);
});

test("restarts the chip", () => {
	system.restart();
	expect(made.restarts).toBe(1);
});

test("knows why the chip started", () => {
	expect(system.resetReason).toBe("panic");
	// The last ones of ESP-IDF 6.
	for (const [number, reason] of [
		[9, "brownout"],
		[11, "USB"],
		[12, "JTAG"],
		[13, "efuse error"],
		[14, "power glitch"],
		[15, "CPU lock-up"],
	] as const) {
		facts.resetReason = number;
		expect(new Esp32System({ io: fakeEsp32, chip: "esp32c3", settings: new PreferenceStore("esp32-test") }).resetReason).toBe(reason);
	}
	facts.resetReason = 99;
	expect(new Esp32System({ io: fakeEsp32, chip: "esp32c3", settings: new PreferenceStore("esp32-test") }).resetReason).toBe("unknown");
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
	expect(system.wifi.openAccessPoint("device-1234", undefined)).toBe("192.168.4.1");
	system.wifi.openAccessPoint("device-1234", "k3m9x2a7bc");
	expect([FakeWifi.mode, FakeWifi.accessPoints]).toEqual([
		3,
		[
			{ ssid: "device-1234", station: true },
			{ ssid: "device-1234", password: "k3m9x2a7bc", station: true },
		],
	]);
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
