// The options of ESP-IDF that each board is built with, merged as the SDK's mcconfig merges them.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { boardNames, findBoard, isSimulated } from "../../cli/boards.js";
import { smallestSlot } from "../../cli/firmware.js";
import { mergeOptions } from "../../cli/idf-options.js";

const folder = mkdtempSync(join(tmpdir(), "moddable-mcp-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What matters here of the options in the Moddable SDK 8.2.3: those of its chips, and those of its targets. */
const CHIPS: { [chip: string]: { [file: string]: string } } = {
	esp32: {
		"sdkconfig.defaults": "CONFIG_ESPTOOLPY_FLASHSIZE_4MB=y\nCONFIG_ESP_CONSOLE_NONE=y\n",
		"sdkconfig.defaults.release": "CONFIG_ESP_DEBUG_STUBS_ENABLE=n\nCONFIG_ESP_SYSTEM_PANIC_GDBSTUB=n\n",
	},
	esp32c3: { "sdkconfig.defaults": "CONFIG_ESPTOOLPY_FLASHSIZE_4MB=y\nCONFIG_ESP_CONSOLE_NONE=y\n", "sdkconfig.defaults.release": "" },
	esp32s3: {
		"sdkconfig.defaults":
			"CONFIG_ESPTOOLPY_FLASHSIZE_4MB=y\nCONFIG_ESP_SYSTEM_PANIC_GDBSTUB=y\nCONFIG_ESP_CONSOLE_NONE=y\nCONFIG_SPIRAM_USE_MALLOC=y\n",
		"sdkconfig.defaults.release": "",
	},
};
const TARGETS: { [target: string]: { chip: string; options?: { [file: string]: string } } } = {
	esp32c3: { chip: "esp32c3" },
	esp32s3: { chip: "esp32s3" },
	m5atom_matrix: { chip: "esp32" },
	m5atom_echo_s3r: {
		chip: "esp32s3",
		options: {
			"sdkconfig.defaults":
				"CONFIG_ESPTOOLPY_FLASHSIZE_4MB=n\nCONFIG_ESPTOOLPY_FLASHSIZE_8MB=y\nCONFIG_ESPTOOLPY_FLASHSIZE_16MB=n\nCONFIG_SPIRAM=y\nCONFIG_SPIRAM_MODE_OCT=y\n",
			"sdkconfig.defaults.release":
				"CONFIG_ESP_TASK_WDT_EN=n\nCONFIG_ESP_TASK_WDT_INIT=y\nCONFIG_ESP_TASK_WDT_PANIC=y\nCONFIG_ESP_TASK_WDT_TIMEOUT_S=5\nCONFIG_ESP_CONSOLE_NONE=n\n",
		},
	},
	m5stack_cores3: {
		chip: "esp32s3",
		options: {
			"sdkconfig.defaults": "CONFIG_ESP_SYSTEM_PANIC_GDBSTUB=n\nCONFIG_ESPTOOLPY_FLASHSIZE_16MB=y\nCONFIG_SPIRAM=y\nCONFIG_SPIRAM_MODE_QUAD=y\n",
		},
	},
};
const devices = join("build", "devices", "esp32");
const recorded = join(folder, "sdk");
const write = (path: string, text: string) => {
	mkdirSync(join(path, ".."), { recursive: true });
	writeFileSync(path, text);
};
for (const [chip, files] of Object.entries(CHIPS))
	for (const [name, text] of Object.entries(files)) write(join(recorded, devices, `xsProj-${chip}`, name), text);
for (const [name, { options }] of Object.entries(TARGETS)) {
	const target = join(recorded, devices, "targets", name);
	write(join(target, "manifest.json"), JSON.stringify(options ? { build: { SDKCONFIGPATH: "./sdkconfig" } } : {}));
	for (const [file, text] of Object.entries(options ?? {})) write(join(target, "sdkconfig", file), text);
}
const installed = process.env.MODDABLE && existsSync(join(process.env.MODDABLE, devices)) ? [process.env.MODDABLE] : [];

/** mcconfig's merge of a chip's options with a folder (tools/mcmanifest.js, generateConfigurationRules). */
function mergeAsSdk(moddable: string, chip: string, options: string, debug: boolean): string {
	const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");
	const base = join(moddable, devices, `xsProj-${chip}`, "sdkconfig.defaults");
	const own = join(options, "sdkconfig.defaults");
	let merged = read(base);
	for (const text of debug ? [read(own)] : [read(`${base}.release`), read(own), read(`${own}.release`)])
		for (const line of text.split(/[\r\n]+/)) {
			if (line === "" || line.startsWith("#")) continue;
			const [name = "", value = ""] = line.split("=");
			const start = merged.indexOf(`${name}=`);
			if (start < 0) merged += `\n${name}=${value}`;
			else if (merged.slice(start + name.length + 1).split(/[\r\n]/, 1)[0] !== value)
				merged = merged.replace(new RegExp(`${name}=.*`), `${name}=${value === "n" ? "" : value}`);
		}
	return merged;
}

/** The last `=y` of the options that exclude each other, as Kconfig takes them. */
const chosen = (options: string, choice: string) =>
	options
		.split("\n")
		.map((line) => new RegExp(`^CONFIG_${choice}(\\w+)=y$`).exec(line)?.[1])
		.filter((name) => name !== undefined)
		.at(-1);

const chips = new Map(Object.entries(TARGETS).map(([target, { chip }]) => [`esp32/${target}`, chip] as [string, string]));
const boards = boardNames()
	.map((name) => findBoard(name))
	.filter(({ target }) => !isSimulated(target));

describe.each([recorded, ...installed])("with the options of the SDK in %s", (moddable) => {
	const build = (name: string, debug = false, shell?: string) => {
		const board = findBoard(name);
		const output = join(folder, "output");
		const { SDKCONFIGPATH: merged = "" } = mergeOptions({ moddable }, { target: board.target, output, board: board.path }, shell);
		return mergeAsSdk(moddable, chips.get(board.target) ?? "", merged, debug);
	};

	test.each(boards.map(({ name }) => name))("%s restarts after a crash and after a hang, and takes a failed firmware back", (name) => {
		const options = build(name).split("\n");
		for (const option of [
			"BOOTLOADER_APP_ROLLBACK_ENABLE=y",
			"ESP_TASK_WDT_EN=y",
			"ESP_TASK_WDT_INIT=y",
			"ESP_TASK_WDT_PANIC=y",
			"ESP_TASK_WDT_TIMEOUT_S=30",
			"ESP_INT_WDT=y",
		])
			expect(options.filter((line) => line.startsWith(`CONFIG_${option.split("=")[0]}=`))).toEqual([`CONFIG_${option}`]);
		expect(chosen(options.join("\n"), "ESP_SYSTEM_PANIC_")).toBe("PRINT_REBOOT");
	});

	test.each(boards.map(({ name }) => name))("a debug build of %s keeps the debugger's options: it stands still at a breakpoint", (name) => {
		const options = build(name, true);
		expect(options).toContain("CONFIG_BOOTLOADER_APP_ROLLBACK_ENABLE=y");
		expect(options).not.toMatch(/TASK_WDT_EN=y|PANIC_PRINT_REBOOT/);
	});

	test.each([
		["bread_compact", "8MB", "OCT"],
		["c3_led_strip", "16MB", undefined],
		["electron_bot", "16MB", "OCT"],
		["esp_hi", "4MB", undefined],
		["m5atom_echo_s3r", "8MB", "OCT"],
		["m5atom_matrix_echo_base", "4MB", undefined],
		["m5stack_cores3", "16MB", "QUAD"],
		["otto", "16MB", "OCT"],
	])("%s has %s of flash and PSRAM of the kind %s", (name, flash, memory) => {
		const options = build(name);
		expect(chosen(options, "ESPTOOLPY_FLASHSIZE_")).toBe(flash);
		expect([options.includes("CONFIG_SPIRAM=y"), chosen(options, "SPIRAM_MODE_")]).toEqual([memory !== undefined, memory]);
	});

	test("options of the shell's folder win, and the project's stay", () => {
		const shell = join(folder, "shell");
		write(join(shell, "sdkconfig.defaults"), "CONFIG_ESP_TASK_WDT_TIMEOUT_S=60\nCONFIG_OF_MINE=y");
		const options = build("m5atom_echo_s3r", false, shell).split("\n");
		expect(options).toEqual(
			expect.arrayContaining(["CONFIG_ESP_TASK_WDT_TIMEOUT_S=60", "CONFIG_OF_MINE=y", "CONFIG_BOOTLOADER_APP_ROLLBACK_ENABLE=y"]),
		);
		expect(() => build("otto", false, join(folder, "nowhere"))).toThrow(/^SDKCONFIGPATH names .*nowhere, and there is no such folder/);
	});
});

test.each(boards.map(({ name, path }) => [name, path]))("no option of %s or of the project is switched off by =n", (_, path) => {
	// The SDK's merge empties the value of an option that the chip's own file has.
	for (const options of [join(path, "sdkconfig"), "sdkconfig"])
		for (const file of ["sdkconfig.defaults", "sdkconfig.defaults.release"])
			if (existsSync(join(options, file))) expect(readFileSync(join(options, file), "utf8")).not.toMatch(/=n?$/m);
});

test.each(boards)("$name has slots for firmware that fit its flash", ({ path }) => {
	const table: string | undefined = JSON.parse(readFileSync(join(path, "manifest.json"), "utf8")).build.PARTITIONS_FILE;
	const options = join(path, "sdkconfig", "sdkconfig.defaults");
	const flash = existsSync(options) ? chosen(readFileSync(options, "utf8"), "ESPTOOLPY_FLASHSIZE_") : undefined;
	expect(table).toBe(flash && `$(MODDABLE_MCP)/sdkconfig/partitions-${flash.toLowerCase()}.csv`);
	if (!table) return;
	const slot = smallestSlot(readFileSync(table.replace("$(MODDABLE_MCP)/", ""), "utf8"));
	// The partition table and what is before it takes the first 64 KB.
	expect((slot?.size ?? 0) + 0x10000).toBe(Number.parseInt(flash as string, 10) * 1024 * 1024);
});

test("a build by mcconfig alone has the project's options where the target has none, and the simulator has none", () => {
	expect(mergeOptions({ moddable: recorded }, { target: "lin", output: folder })).toEqual({});
	const manifest = JSON.parse(readFileSync("manifest.json", "utf8"));
	expect(manifest.platforms.esp32.build.SDKCONFIGPATH).toBe("./sdkconfig");
	expect(manifest.include.at(-1)).toBe("./sdkconfig/manifest.json");
});
