// Every tool of the simulated board, at the corners of its arguments and one step beyond.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { createBoard } from "board/board";
import tools from "board/tools/index";
import { wireText } from "mcp/tool";
import { deviceInformation } from "system/information";
import { made } from "../fakes/moddable.js";
import { openBootLog, withServices } from "../support/services.js";
import { call } from "./call.js";

let board: ReturnType<typeof createBoard>;

beforeEach(() => {
	jest.useFakeTimers();
	board = createBoard();
});
afterEach(() => {
	board.close();
	jest.useRealTimers();
});

function ask(name: string, args: { [name: string]: unknown } = {}): unknown {
	return call(tools.find(name, true), args, board);
}

test("tools that many boards share come first, and there are at most 24", () => {
	expect(tools.tools.slice(0, 4).map(({ name }) => name)).toEqual([
		"self.get_device_status",
		"self.audio_speaker.set_volume",
		"self.screen.set_brightness",
		"self.screen.set_theme",
	]);
	expect(tools.tools.length).toBeLessThanOrEqual(24);
	expect(tools.userTools.map(({ name }) => name)).toEqual([
		"self.get_system_info",
		"self.reboot",
		"self.settings.get",
		"self.settings.set",
		"self.settings.reset",
		"self.system.reconfigure_wifi",
		"self.upgrade_firmware",
	]);
});

test("every tool and every property has a description", () => {
	for (const tool of [...tools.tools, ...tools.userTools]) {
		const { description, inputSchema } = JSON.parse(wireText(tool, false));
		expect(description).toMatch(/\w{3}/);
		for (const property of Object.values<{ description?: string }>(inputSchema.properties)) expect(property.description).toMatch(/\w{3}/);
	}
});

describe("self.get_device_status", () => {
	test("has the reference's shape", () => {
		board.speaker.setVolume(35);
		board.screen.setBrightness(60);
		board.screen.setTheme("dark");
		expect(ask("self.get_device_status")).toEqual({
			audio_speaker: { volume: 35 },
			screen: { brightness: 60, theme: "dark" },
			battery: { level: 85, charging: false },
			network: { type: "wifi", ssid: "simulated", signal: "strong" },
			chip: { temperature: 42.5 },
		});
	});

	test("leaves out what a board has not", () => {
		const bare = { name: "bare", system: { version: "1", chip: "x", macAddress: "", uuid: "", restart() {} }, close() {} };
		expect(call(tools.find("self.get_device_status"), {}, bare as unknown as typeof board)).toEqual({});
	});

	test.each([
		[0, "strong"],
		[-60, "strong"],
		[-61, "medium"],
		[-70, "medium"],
		[-71, "weak"],
		[-127, "weak"],
		[undefined, undefined],
	])("calls a signal of %p dBm %p", (rssi, signal) => {
		const system = { ...board.system, network: { type: "wifi", ssid: "home", rssi } };
		const status = call(tools.find("self.get_device_status"), {}, { ...board, system }) as { network: object };
		expect(status.network).toEqual({ type: "wifi", ssid: "home", ...(signal && { signal }) });
	});
});

describe("good arguments", () => {
	test.each([0, 1, 99, 100, 50.0])("volume %p", (volume) => {
		expect(ask("self.audio_speaker.set_volume", { volume })).toBe(true);
		expect(board.speaker.volume).toBe(volume);
	});

	test.each([0, 100])("brightness %p", (brightness) => {
		expect(ask("self.screen.set_brightness", { brightness })).toBe(true);
		expect(board.screen.brightness).toBe(brightness);
	});

	test.each(["light", "dark"])("theme %p", (theme) => {
		expect(ask("self.screen.set_theme", { theme })).toBe(true);
		expect(board.screen.theme).toBe(theme);
	});

	test.each([
		[20, 10],
		[20_000, 10_000],
	])("a tone of %p Hz for %p ms", (frequency, duration) => {
		expect(ask("self.audio_speaker.play_tone", { frequency, duration })).toBe(true);
		expect(made.panel.get("sound")).toMatchObject({ frequency });
		jest.advanceTimersByTime(duration - 1);
		expect(made.panel.get("sound")).toMatchObject({ frequency });
		jest.advanceTimersByTime(1);
		expect(made.panel.get("sound")).toMatchObject({ frequency: 0 });
	});

	test.each([
		[0, 0],
		[0, 180],
		[1, 90.5],
	])("servo %p to %p degrees", (servo, angle) => {
		expect(ask("self.servo.set_angle", { servo, angle })).toBe(true);
		expect(board.servos[servo]?.angle).toBe(angle);
		expect(made.panel.get(`servo${servo}`)).toMatchObject({ position: angle, moving: false });
	});

	test("a servo with a speed answers while it moves", () => {
		ask("self.servo.set_angle", { servo: 0, angle: 0 });
		expect(ask("self.servo.set_angle", { servo: 0, angle: 180, speed: 90 })).toBe(true);
		jest.advanceTimersByTime(1000);
		expect(made.panel.get("servo0")).toMatchObject({ position: 90, moving: true });
		jest.advanceTimersByTime(1100);
		expect(made.panel.get("servo0")).toMatchObject({ position: 180, moving: false });
	});

	test("the light's power and color", () => {
		expect(ask("self.light.get_power")).toBe(false);
		expect(ask("self.light.turn_on")).toBe(true);
		expect(ask("self.light.get_power")).toBe(true);
		expect(ask("self.light.set_rgb", { r: 0, g: 255, b: 128 })).toBe(true);
		expect((made.panel.get("light") as { pixels: number[][] }).pixels).toEqual(new Array(8).fill([0, 255, 128]));
		expect(ask("self.light.turn_off")).toBe(true);
		expect(ask("self.light.get_power")).toBe(false);
	});

	test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])("the strip's brightness level %p comes back as it went", (level) => {
		expect(ask("self.led_strip.set_brightness", { level })).toBe(true);
		expect(ask("self.led_strip.get_brightness")).toBe(level);
	});

	test("the strip's colors, one and all", () => {
		const { pixels } = (() => {
			ask("self.led_strip.set_all_color", { red: 1, green: 2, blue: 3 });
			ask("self.led_strip.set_single_color", { index: 0, red: 255, green: 0, blue: 0 });
			ask("self.led_strip.set_single_color", { index: 7, red: 0, green: 0, blue: 255 });
			return made.panel.get("light") as { pixels: number[][] };
		})();
		expect(pixels).toEqual([[255, 0, 0], ...new Array(6).fill([1, 2, 3]), [0, 0, 255]]);
	});

	test("the lamp", () => {
		expect(ask("self.lamp.get_state")).toEqual({ power: false });
		expect(ask("self.lamp.turn_on")).toBe(true);
		expect(ask("self.lamp.get_state")).toEqual({ power: true });
		expect(ask("self.lamp.turn_off")).toBe(true);
		expect(ask("self.lamp.get_state")).toEqual({ power: false });
	});
});

describe("bad arguments reach no hardware", () => {
	test.each([
		["self.audio_speaker.set_volume", { volume: -1 }],
		["self.audio_speaker.set_volume", { volume: 101 }],
		["self.audio_speaker.set_volume", { volume: 50.5 }],
		["self.audio_speaker.set_volume", { volume: "50" }],
		["self.audio_speaker.set_volume", {}],
		["self.screen.set_brightness", { brightness: 101 }],
		["self.screen.set_theme", { theme: "blue" }],
		["self.audio_speaker.play_tone", { frequency: 19, duration: 100 }],
		["self.audio_speaker.play_tone", { frequency: 20_001, duration: 100 }],
		["self.audio_speaker.play_tone", { frequency: 440, duration: 9 }],
		["self.audio_speaker.play_tone", { frequency: 440, duration: 10_001 }],
		["self.light.set_rgb", { r: 256, g: 0, b: 0 }],
		["self.light.set_rgb", { r: 0, g: -1, b: 0 }],
		["self.light.set_rgb", { r: 0, g: 0 }],
		["self.led_strip.set_brightness", { level: 9 }],
		["self.led_strip.set_single_color", { index: 8, red: 0, green: 0, blue: 0 }],
		["self.led_strip.set_single_color", { index: -1, red: 0, green: 0, blue: 0 }],
		["self.servo.set_angle", { servo: 2, angle: 90 }],
		["self.servo.set_angle", { servo: 0, angle: 180.5 }],
		["self.servo.set_angle", { servo: 0, angle: -1 }],
		["self.servo.set_angle", { servo: 0, angle: 90, speed: -1 }],
	])("%s %j", (name, args) => {
		const before = JSON.stringify([...made.panel]);
		expect(() => ask(name, args)).toThrow(RangeError);
		expect(JSON.stringify([...made.panel])).toBe(before);
	});
});

test("a servo's own range is told where it is narrower than the tool's", async () => {
	const { servoTool } = await import("tools/servo");
	const { ToolError } = await import("mcp/content");
	const tool = servoTool({ labels: ["head", "neck"] });
	const narrow = { minimum: 45, maximum: 135, angle: 90, setAngle: jest.fn(), close() {} };
	expect(() => call(tool, { servo: 0, angle: 44 }, { servos: [narrow] })).toThrow(
		new ToolError("The angle of servo 0 must be from 45 to 135 degrees"),
	);
	expect(() => call(tool, { servo: 1, angle: 90 }, { servos: [narrow] })).toThrow(ToolError);
	expect(narrow.setAngle).not.toHaveBeenCalled();
	expect(call(tool, { servo: 0, angle: 135 }, { servos: [narrow] })).toBe(true);
});

describe("user-only tools", () => {
	test("self.get_system_info tells identity and link", () => {
		const { macAddress, uuid, version } = board.system;
		expect(deviceInformation(board)).toEqual({
			version: 2,
			mac_address: macAddress,
			uuid,
			flash_size: 8_388_608,
			chip_model_name: "simulator",
			chip_info: { model: 999, cores: 2, revision: 0, features: 2 },
			application: {
				name: "moddable-mcp",
				version,
				compile_time: "Jan  1 2026T00:00:00Z",
				idf_version: "v6.0",
				elf_sha256: "0".repeat(64),
			},
			partition_table: [
				{ label: "nvs", type: 1, subtype: 2, address: 36_864, size: 24_576 },
				{ label: "phy_init", type: 1, subtype: 1, address: 61_440, size: 4096 },
				{ label: "ota_0", type: 0, subtype: 16, address: 65_536, size: 2_097_152 },
				{ label: "ota_1", type: 0, subtype: 17, address: 2_162_688, size: 2_097_152 },
				{ label: "otadata", type: 1, subtype: 0, address: 4_259_840, size: 8192 },
			],
			ota: { label: "ota_0" },
			board: { type: "simulator", name: "simulator", ssid: "simulated", rssi: -55, channel: 6, ip: "127.0.0.1", mac: macAddress },
		});
	});

	test("self.get_system_info leaves out what a chip does not tell", () => {
		const system = { version: "1", chip: "x", macAddress: "m", uuid: "u", restart() {} };
		expect(JSON.parse(JSON.stringify(deviceInformation({ ...board, system })))).toEqual({
			version: 2,
			mac_address: "m",
			uuid: "u",
			chip_model_name: "x",
			application: { name: "moddable-mcp", version: "1" },
			board: { type: "simulator", name: "simulator", mac: "m" },
		});
	});

	test("self.get_system_info gives the least free memory as a text, as the reference does", () => {
		const system = { ...board.system, minimumFreeHeap: 120_000, freeHeap: 150_000 };
		expect(deviceInformation({ ...board, system })).toMatchObject({
			minimum_free_heap_size: "120000",
			free_heap_size: 150_000,
		});
	});

	test("self.get_system_info fits into a message at its longest", async () => {
		const { MAX_REASONS } = await import("system/boot-log");
		const { utf8Length } = await import("mcp/schema");
		const most = 0xffff_ffff;
		const system = {
			...board.system,
			network: { type: "wifi", ssid: '"'.repeat(32), rssi: -100, channel: 13, ip: "192.168.100.100" },
			chipInfo: { model: 999, cores: 255, revision: 0xffff, features: most },
			partitions: Array.from({ length: 16 }, () => ({ label: '"'.repeat(16), type: 255, subtype: 255, address: most, size: most })),
			image: { compile_time: "x".repeat(33), idf_version: "x".repeat(32), elf_sha256: "f".repeat(64) },
			flashSize: most,
			freeHeap: most,
			minimumFreeHeap: most,
			restart() {},
		};
		let { bootLog } = openBootLog(system);
		for (let i = 0; i < MAX_REASONS; i++) {
			bootLog.plan('"\\'.repeat(100));
			bootLog.close();
			({ bootLog } = openBootLog(system));
		}
		for (let i = 0; i < MAX_REASONS; i++) bootLog.lost("session", `漢"`.repeat(100));
		bootLog.close();
		const info = JSON.stringify(call(tools.find("self.get_system_info", true), {}, withServices({ ...board, system }, bootLog)));
		// What goes out is JSON in JSON, in an envelope.
		expect(utf8Length(JSON.stringify(info))).toBeLessThan(8192 - 400);
	});

	test("self.reboot answers, and restarts one second later", () => {
		const before = made.restarts;
		withServices(board);
		expect(ask("self.reboot")).toBe(true);
		jest.advanceTimersByTime(999);
		expect(made.restarts).toBe(before);
		jest.advanceTimersByTime(1);
		expect(made.restarts).toBe(before + 1);
	});
});
