// The app that shows a board in Moddable's simulator: every board's manifests, less what belongs to the chip.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "@jest/globals";
import { createSimulatorApp, STAND_INS } from "../../simulator/simulator-app.js";
import { runScriptFile } from "../support/script.js";

const root = resolve(fileURLToPath(new URL("../../", import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), "moddable-mcp-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As much of an SDK as is looked into: a manifest that brings hardware, and one that does not. */
const moddable = join(folder, "sdk");
const put = (path: string, content: unknown) => {
	mkdirSync(join(folder, path, ".."), { recursive: true });
	writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
};
put("sdk/modules/drivers/neopixel/manifest.json", { modules: { "*": "./*" }, preload: "neopixel" });
put("sdk/modules/pins/servo/manifest.json", { platforms: { esp32: { modules: { "pins/servo": "./servo" } } } });
put("sdk/modules/io/update/manifest.json", { platforms: { esp32: { include: "./esp32/manifest.json" }, "...": { error: "unsupported" } } });
put("sdk/modules/base/worker/manifest.json", { modules: { worker: "./worker" } });
put("sdk/modules/io/serial/lin/serial.js", "");

// biome-ignore lint/suspicious/noExplicitAny: a manifest is looked into freely
function app(board: string): { files: ReadonlyMap<string, string>; manifests: any[] } {
	const files = createSimulatorApp({ root, moddable, board, host: "lin" });
	return { files, manifests: [...files].filter(([path]) => path.endsWith(".json")).map(([, text]) => JSON.parse(text)) };
}

describe.each(readdirSync(join(root, "boards")))("%s", (name) => {
	const board = join(root, "boards", name);
	const { files, manifests } = app(board);

	test("includes what is there and nothing that refuses the computer or needs the chip", () => {
		const included = manifests.flatMap(({ include = [], platforms }) => [...include, ...(platforms?.lin.include ?? [])]) as string[];
		expect(included.length).toBeGreaterThan(3);
		const missing = included.filter((path) => (path.startsWith("./") ? !files.has(path.slice(2)) : !path.startsWith(moddable) && !existsSync(path)));
		expect(missing).toEqual([]);
		expect(included.filter((path) => /neopixel|servo|io\/update|drivers\/.*manifest/.test(path.replace(root, "")))).toEqual([]);
		expect(new Set(manifests.flatMap(({ platforms = {} }) => Object.keys(platforms)))).toEqual(new Set(["lin"]));
		const texts = JSON.stringify(manifests);
		for (const word of ['"error"', '"ffi"', '"dependency"', "SUBPLATFORMDIRECTORY"]) expect([word, texts.includes(word)]).toEqual([word, false]);
	});

	test("has the board's own modules and drivers, and its tools in flash", () => {
		const modules = manifests.map((manifest) => manifest.modules ?? {});
		expect(modules).toContainEqual(expect.objectContaining({ "board/*": join(board, "*"), "board/tools/*": join(board, "tools/*") }));
		const preload = manifests.flatMap((manifest) => manifest.preload ?? []);
		expect(preload).toContain("board/tools/index");
		expect(preload.filter((module) => module === "board/board" || !module.startsWith("board/"))).toEqual([]);
	});

	test("gives the board its name before a wildcard takes the file, and the firmware the watched one", () => {
		expect(manifests.at(-1).include[0]).toBe("./stand-ins.json");
		const { modules } = JSON.parse(files.get("stand-ins.json") ?? "");
		expect(modules["board/unwatched"]).toBe(join(board, "board"));
		expect(Object.keys(modules).slice(0, 2)).toEqual(["board/unwatched", "board/board"]);
		expect(files.get("modules/board.ts")).toContain('from "simulator/watched-board"');
	});
});

test("every hardware module of npm start stands in under the name of the real one", () => {
	const { files } = app(join(root, "boards/simulator"));
	const { modules } = JSON.parse(files.get("stand-ins.json") ?? "");
	expect([...STAND_INS.keys()]).toEqual(expect.arrayContaining(["neopixel", "pins/servo", "embedded:io/audio/out", "embedded:io/smbus", "mc/ffi"]));
	for (const [specifier, module] of STAND_INS) {
		const text = files.get(`${modules[specifier].slice(2)}`);
		expect(text).toContain(`from "${module}"`);
		expect(existsSync(join(root, module.replace("simulator/", "simulator/runtime/").concat(".ts")))).toBe(true);
	}
	expect(modules["~"]).toEqual([join(moddable, "modules/io/serial/lin/*")]);
});

test("whatever simulated hardware imports is there in Moddable's simulator too", () => {
	const files = app(join(root, "boards/simulator")).files;
	const { modules } = JSON.parse(files.get("stand-ins.json") ?? "");
	const there = [...Object.keys(modules), ...Object.keys(JSON.parse(readFileSync(join(root, "simulator/moddable/manifest.json"), "utf8")).modules)];
	const folder = join(root, "simulator/runtime/hardware");
	const imported = readdirSync(folder).flatMap((file) =>
		[...readFileSync(join(folder, file), "utf8").matchAll(/^import (?!type).*"(simulator\/[^"]+)"/gm)].map(([, name]) => name as string),
	);
	expect(new Set(imported).size).toBeGreaterThan(3);
	expect(imported.filter((name) => !there.includes(name) && !name.startsWith("simulator/hardware/"))).toEqual([]);
});

test("a board elsewhere: its paths, its part of the manifest for the computer, and the SDK's modules that are no hardware", () => {
	put("my_board/manifest.json", {
		include: ["$(MODDABLE_MCP)/src/drivers/pin-servo.manifest.json", "$(MODULES)/base/worker/manifest.json", "./more.json", { git: "https://x" }],
		modules: { "board/*": "./*", "~": ["./draft"], "three/*": ["$(OTHER)/*", { source: "../three/" }] },
		config: { path: "./as-it-is" },
		platforms: { lin: { modules: { extra: "./lin/extra" }, include: "./more.json" }, "...": { error: "no" } },
	});
	put("my_board/more.json", { preload: "board/more", include: "$(OTHER)/manifest.json" });
	const board = join(folder, "my_board");
	const { files } = app(board);
	const first = JSON.parse(files.get("manifest-0.json") ?? "");
	expect(first).toEqual({
		include: [
			expect.stringMatching(/^\.\/manifest-\d\.json$/),
			join(moddable, "modules/base/worker/manifest.json"),
			expect.any(String),
			{ git: "https://x" },
		],
		modules: { "board/*": join(board, "*"), "~": [join(board, "draft")], "three/*": ["$(OTHER)/*", { source: `${join(folder, "three")}/` }] },
		config: { path: "./as-it-is" },
		platforms: { lin: { include: [first.include[2]], modules: { extra: join(board, "lin/extra") } } },
	});
	expect(JSON.parse(files.get(first.include[2].slice(2)) ?? "")).toMatchObject({ preload: ["board/more"], include: ["$(OTHER)/manifest.json"] });
});

test("keeps the settings of each board in the folder that it is given", () => {
	const manifest = createSimulatorApp({ root, moddable, board: join(root, "boards", "simulator"), host: "lin", settings: "/home/me/settings" }).get(
		"manifest.json",
	);
	expect(JSON.parse(manifest ?? "").config).toEqual({ url: "", file: { root: "/home/me/settings/" } });
});

test.each([
	["a manifest that is not there", { include: "./nosuch.json" }, /There is no manifest .*nosuch\.json/],
	["a manifest that is not JSON", { include: "./bad.json" }, /bad\.json is not JSON/],
])("%s is told", (_, manifest, reason) => {
	put("bad_board/manifest.json", manifest);
	put("bad_board/bad.json", "{");
	expect(() => app(join(folder, "bad_board"))).toThrow(reason);
});

test("npm run sim says which board there is not, and that the SDK is missing, for a board of a chip as well", () => {
	expect(runScriptFile("simulator/sim.ts", ["nosuch"]).stderr).toMatch(/^There is no board "nosuch"/);
	expect(runScriptFile("simulator/sim.ts", ["--board", "esp_hi"]).stderr).toMatch(/^The Moddable SDK is missing/);
});
