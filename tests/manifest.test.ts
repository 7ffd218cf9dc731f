// What lives in flash is what the manifests name: a wildcard in `preload` takes no TypeScript modules (SDK 8.2.3).

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";

const root = fileURLToPath(new URL("..", import.meta.url));
// biome-ignore lint/suspicious/noExplicitAny: a manifest is looked into freely
const read = (file: string): any => JSON.parse(readFileSync(path.join(root, file), "utf8"));
describe("src/manifest.json", () => {
	test("preloads what main imports, and with it all that those modules import", () => {
		const source = readFileSync(path.join(root, "src/main.ts"), "utf8");
		// What re-exports a module of the SDK goes wherever that goes: "mc/config" cannot be linked into flash.
		const imported = [...source.matchAll(/from "\.\/(?!sdk\/)(.+)\.js"/g)].map(([, name]) => name as string);
		const manifest = read("src/manifest.json");
		// Moddable's `preference` reads its file when it is loaded, which in the simulator must not be at link time.
		const preload = [...manifest.preload, ...manifest.platforms.esp32.preload];
		expect(imported.length).toBeGreaterThan(3);
		expect(imported.filter((name) => !preload.includes(name))).toEqual([]);
		const unknown = preload.filter((name: string) => !existsSync(path.join(root, "src", `${manifest.modules[name] ?? name}.ts`)));
		expect(unknown).toEqual([]);
	});

	test("has nothing but modules in its folders: other files would go into the firmware", () => {
		for (const folder of ["base", "mcp", "hardware", "sdk", "net", "tls", "http", "transports", "session", "settings", "setup", "tools", "system"])
			expect(
				readdirSync(path.join(root, "src", folder)).filter((file) => !/^[a-z0-9-]+\.ts$/.test(file) && !file.endsWith(".manifest.json")),
			).toEqual([]);
	});
});

test("no manifest preloads by a wildcard", () => {
	const manifests = ["manifest.json", "src/manifest.json", ...readdirSync(path.join(root, "boards")).map((board) => `boards/${board}/manifest.json`)];
	for (const file of manifests)
		if (existsSync(path.join(root, file))) expect([file, JSON.stringify(read(file).preload ?? []).includes("*")]).toEqual([file, false]);
});

test("every board's tools are preloaded", () => {
	for (const board of readdirSync(path.join(root, "boards")))
		expect([board, read(`boards/${board}/manifest.json`).preload]).toEqual([board, expect.arrayContaining(["board/tools/index"])]);
});

/** Everything that a module imports, and what that imports; by their names. */
function closure(file: string, board: string, seen = new Set<string>()): Set<string> {
	const source = readFileSync(file, "utf8");
	for (const [, name = ""] of source.matchAll(/^(?:import|export) (?!type )[^;]*?from "(.+)";$/gm)) {
		const bare = name.startsWith("board/") ? path.join(root, "boards", board, name.slice(6)) : path.join(root, "src", name);
		const module = name.startsWith(".") ? path.join(path.dirname(file), name.replace(/\.js$/, "")) : bare;
		if (!existsSync(`${module}.ts`)) seen.add(name);
		else if (!seen.has(module)) closure(`${module}.ts`, board, seen.add(module));
	}
	return seen;
}

test.each(readdirSync(path.join(root, "boards")))("the tools of %s reach no module that cannot be linked into flash on a computer", (board) => {
	const reached = closure(path.join(root, "boards", board, "tools", "index.ts"), board);
	// They cannot keep anything there: what a board or its parts need of them is theirs to import.
	for (const name of ["preference", "mc/config", "mc/ffi"]) expect([...reached]).not.toContain(name);
	expect([...reached]).toContain(path.join(root, "src", "mcp", "tool"));
});

test("no module makes a regular expression when it is loaded: XS may crash in one that lives in flash", () => {
	const sources = (folder: string): string[] =>
		readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
			.filter((file) => file.endsWith(".ts"))
			.map((file) => `${folder}/${file}`);
	const atModuleLevel = /^(?:export )?(?:const|let) \w+(?:: [^=]+)? = .*\/[^/*\s].*\/[a-z]*[;,)]|^\t(?:static |readonly )+\w+ = \/[^/*]|new RegExp/m;
	for (const file of [...sources("src"), ...sources("boards")]) {
		const source = readFileSync(path.join(root, file), "utf8").replaceAll(/\/\/.*$|"[^"\n]*"|`[^`]*`/gm, "");
		expect([file, atModuleLevel.exec(source)?.[0]]).toEqual([file, undefined]);
	}
});
