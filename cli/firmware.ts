// Builds a board's firmware, and believes in it only when there is a new image that fits into its slot.

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { isSimulated, root } from "./boards.js";
import { type Build, mcconfig, type Sdk } from "./moddable.js";
import { Problem } from "./program.js";
import { missingModules } from "./sdk-modules.js";

/**
 * Builds an image; one of an earlier build is removed first. The SDK's makefile goes on when ESP-IDF fails.
 * @returns the image's path; undefined for a computer's platform whose image has no known name
 * @throws Problem when the build fails, makes no image, or makes one that is too large for a slot
 */
export async function buildFirmware(sdk: Sdk, build: Build): Promise<string | undefined> {
	const simulated = isSimulated(build.target);
	const image = simulated ? "mc.so" : "xs_esp32.bin";
	// ESP-IDF makes an image anew only when the stamp of the last one is gone too.
	for (const path of find(build.output, (name) => name === image || name === ".bin_timestamp")) rmSync(path);
	const code = await mcconfig(sdk, { ...build, goal: "build" });
	if (code !== 0) throw new Problem(`The build failed (mcconfig ended with ${code}); the reason stands above.`);
	checkModules(sdk, build);
	const built = find(join(build.output, "bin"), (name) => name === image)[0];
	if (!built && (simulated ? process.platform === "linux" : build.target.startsWith("esp32")))
		throw new Problem(`The build made no ${image}; the reason stands above.`);
	if (built && !simulated) checkSlots(built, build);
	return built;
}

/** A module that is missing would be missed on the device only. */
function checkModules({ moddable }: Sdk, build: Build): void {
	const makefile = made(build, "makefile", (path) => !/[\\/]lib[\\/]/.test(path));
	const missing = makefile ? missingModules(readFileSync(makefile, "utf8"), join(root, "src", "sdk")) : [];
	if (missing.length > 0)
		throw new Problem(`The Moddable SDK in ${moddable} does not have these modules, or has them elsewhere:\n  ${missing.join("\n  ")}`);
}

/** A file that mcconfig made for this kind of build. */
function made({ output, debug = false }: Build, file: string, fits = (_path: string) => true): string | undefined {
	const kind = join("/", debug ? "debug" : "release", "/");
	return find(join(output, "tmp"), (name, path) => name === file && path.includes(kind) && fits(path))[0];
}

function checkSlots(image: string, build: Build): void {
	const table = made(build, "partitions.csv");
	if (!table) return;
	const size = statSync(image).size;
	const slot = smallestSlot(readFileSync(table, "utf8"));
	if (slot && size > slot.size)
		throw new Problem(
			`The app partition is too small: the image has ${number(size)} bytes, the partition ${slot.name} ${number(slot.size)}; ${number(size - slot.size)} too many.`,
		);
	if (slot) console.log(`The image takes ${number(size)} of the ${number(slot.size)} bytes of the partition ${slot.name}.`);
}

/**
 * The smallest partition for an app; an image has to fit into every one of them.
 * @param table a partition table in ESP-IDF's CSV format
 */
export function smallestSlot(table: string): { name: string; size: number } | undefined {
	const slots = table
		.split("\n")
		.filter((line) => !line.startsWith("#"))
		.map((line) => line.split(",").map((field) => field.trim()))
		.filter(([, type]) => type === "app")
		.map(([name = "", , , , size = ""]) => ({ name, size: parseSize(size) }));
	return slots.sort((a, b) => a.size - b.size)[0];
}

function parseSize(text: string): number {
	const [, digits = "0", unit = ""] = /^(0x[\da-f]+|\d+)([KM]?)$/i.exec(text) ?? [];
	return Number(digits) * ({ K: 1024, M: 1024 * 1024 }[unit.toUpperCase()] ?? 1);
}

function number(value: number): string {
	return value.toLocaleString("en-US");
}

function find(folder: string, matches: (name: string, path: string) => boolean): string[] {
	if (!existsSync(folder)) return [];
	return readdirSync(folder, { recursive: true, encoding: "utf8" })
		.map((path) => join(folder, path))
		.filter((path) => matches(basename(path), path));
}
