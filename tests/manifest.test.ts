// What lives in flash is what the manifests name: a wildcard in `preload` takes no TypeScript modules (SDK 8.2.3).

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";

const root = fileURLToPath(new URL("..", import.meta.url));
// biome-ignore lint/suspicious/noExplicitAny: a manifest is looked into freely
const read = (file: string): any => JSON.parse(readFileSync(path.join(root, file), "utf8"));

type Modules = Record<string, string | string[]>;

/** What a manifest and all that it includes of this project declare for an ESP32: modules by name, and what is preloaded. */
function declared(file: string, into = { modules: new Map<string, string>(), preload: new Set<string>(), files: new Set<string>() }) {
	if (into.files.has(file)) return into;
	into.files.add(file);
	const manifest = read(file);
	const folder = path.dirname(file);
	for (const part of [manifest, manifest.platforms?.esp32 ?? {}]) {
		for (const include of part.include ?? []) if (include.startsWith(".")) declared(path.join(folder, include), into);
		for (const [name, sources] of Object.entries((part.modules ?? {}) as Modules))
			for (const source of [sources].flat()) {
				if (!source.startsWith(".")) continue;
				const target = path.join(folder, source);
				if (!target.endsWith("*")) into.modules.set(name.replace("*", path.basename(target)), target);
				else
					for (const found of readdirSync(path.join(root, path.dirname(target))))
						if (found.endsWith(".ts")) into.modules.set(name.replace("*", found.slice(0, -3)), path.join(path.dirname(target), found.slice(0, -3)));
			}
		for (const name of [part.preload ?? []].flat()) into.preload.add(name);
	}
	return into;
}

/** What runs whenever a message comes: with `preload` a function copies each text that it names, and each function that it makes, into RAM. */
const HOT = [
	"mcp/content",
	"mcp/conversation",
	"mcp/direct-caller",
	"mcp/json-rpc-writer",
	"mcp/running-calls",
	"mcp/schema",
	"mcp/tool-reply",
	"net/outbound-message",
	"net/receive-buffer",
	"net/safe-socket",
	"session/message-parser",
	"session/reconnecting-connection",
	"transports/connection",
	"transports/websocket-frames",
];
/** They cannot be linked into flash on a computer, or go wherever the SDK's module goes. */
const NOT_PRELOADED = ["main", "sdk/config", "sdk/preference"];

const CHIP_BOARDS = readdirSync(path.join(root, "boards")).filter((board) => board !== "simulator");
const FEATURES = readdirSync(path.join(root, "src/features/absent")).map((file) => file.replace(".ts", ""));
/** What few boards need: they ask for it. */
const EXTRAS = ["mdns"];

describe("src/manifest.json", () => {
	test("has no feature whose own modules need the SDK's TLS, but TLS", () => {
		const needsTls = FEATURES.filter((feature) => declared(`src/features/${feature}.manifest.json`).modules.has("sdk/tls-socket"));
		expect(needsTls).toEqual(["tls"]);
	});

	test("has every feature but those that a board has to ask for", () => {
		const { files } = declared("src/manifest.json");
		expect(FEATURES.filter((feature) => !files.has(`src/features/${feature}.manifest.json`))).toEqual(EXTRAS);
	});

	test.each(["core", ...FEATURES])("the manifest of %s declares what its modules import, preloads it, and nothing else", (part) => {
		const file = part === "core" ? "src/core.manifest.json" : `src/features/${part}.manifest.json`;
		const { modules, preload } = declared(file);
		const entries = part === "core" ? ["src/main", "src/names", "src/tools/status", "src/tools/system"] : [`src/features/${part}`];
		// They are in other manifests.
		const others = part === "core" ? FEATURES : [];
		const reached = new Set(others.map((name) => path.join(root, "src/features", name)));
		for (const entry of entries) closure(path.join(root, `${entry}.ts`), "none", reached.add(path.join(root, entry)));
		const names = [...reached].filter((name) => path.isAbsolute(name)).map((name) => path.relative(path.join(root, "src"), name));
		const needed = names.filter((name) => name !== "main" && !name.startsWith("features/"));
		expect(needed.filter((name) => !modules.has(name))).toEqual([]);
		expect(
			[...modules.keys()]
				.filter((name) => !NOT_PRELOADED.includes(name) && !HOT.includes(name) && !name.startsWith("hardware/"))
				.filter((name) => !preload.has(name)),
		).toEqual([]);
		expect(HOT.filter((name) => preload.has(name))).toEqual([]);
	});

	test("has nothing but modules in its folders: other files would go into the firmware", () => {
		for (const folder of [
			"base",
			"mcp",
			"hardware",
			"sdk",
			"net",
			"tls",
			"http",
			"transports",
			"session",
			"settings",
			"setup",
			"tools",
			"system",
			"features",
		])
			expect(
				readdirSync(path.join(root, "src", folder)).filter(
					(file) => file !== "absent" && !/^[a-z0-9-]+\.ts$/.test(file) && !file.endsWith(".manifest.json"),
				),
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
	const atModuleLevel =
		/^(?:export )?(?:const|let) \w+(?:: [^=]+)? = .*\/[^/*\s].*\/[a-z]*[;,)]|^\t(?:static |readonly )+\w+ = \/[^/*]|^(?:\S|\t(?:static |readonly )).*new RegExp/m;
	for (const file of [...sources("src"), ...sources("boards")]) {
		const source = readFileSync(path.join(root, file), "utf8").replaceAll(/\/\/.*$|"[^"\n]*"|`[^`]*`/gm, "");
		expect([file, atModuleLevel.exec(source)?.[0]]).toEqual([file, undefined]);
	}
});

test.each(CHIP_BOARDS)("the manifests of %s declare every module that its own import, and no tools that it does not list", (board) => {
	// Without features too.
	const { modules } = declared(
		`boards/${board}/manifest.json`,
		declared("src/core.manifest.json", { modules: new Map(), preload: new Set(), files: new Set(["src/manifest.json"]) }),
	);
	const reached = new Set<string>();
	for (const entry of ["board", "tools/index"]) closure(path.join(root, "boards", board, `${entry}.ts`), board, reached);
	const names = [...reached].filter((name) => path.isAbsolute(name)).map((name) => path.relative(path.join(root, "src"), name));
	expect(names.filter((name) => !name.startsWith("..") && !modules.has(name))).toEqual([]);
	expect([...modules.keys()].filter((name) => name.startsWith("tools/") && !names.includes(name))).toEqual([]);
});
