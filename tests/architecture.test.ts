// The walls between the rooms: docs/architecture.md says who may import whom, and every import in the project is held against it.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";

const root = fileURLToPath(new URL("../", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** What the build fills in: the folder of the board that was chosen. Not the room of all boards. */
const CHOSEN_BOARD = "board";
/** Who imports the SDK's modules for everybody in src/ and boards/. */
const SDK_ROOM = "sdk";

/** Rooms by name, with the rooms that each may import; undefined means all. */
function readRooms(): Map<string, { folder: string; may: ReadonlySet<string> | undefined }> {
	const names = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
	const section = /^## Rooms\n(.*?)^## /ms.exec(read("docs/architecture.md"))?.[1] ?? "";
	const rows = [...section.matchAll(/^\| `([^`]+)` \| [^|]+ \| ([^|]+) \|$/gm)];
	return new Map(
		rows.map(([, folder = "", imports = ""]) => [
			nameOf(folder),
			{ folder, may: imports.trim() === "everything" ? undefined : new Set(names(imports)) },
		]),
	);
}

/** `src/net` is called `net`, `src/main.ts` `main`, and `boards` as it is. */
function nameOf(folder: string): string {
	return folder.replace(/^src\//, "").replace(/\.ts$/, "");
}

const rooms = readRooms();

function roomOf(file: string): string | undefined {
	for (const [name, { folder }] of rooms) if (file === folder || file.startsWith(`${folder}/`)) return name;
	return undefined;
}

const folders = [...new Set([...rooms.values()].map(({ folder }) => folder.split("/", 1)[0] ?? ""))];
const sources = folders.flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
		.map((path) => join(folder, path.replaceAll("\\", "/")))
		.filter((path) => /\.(tsx?|mjs|js)$/.test(path) && !path.includes("node_modules/") && !path.endsWith(".d.ts") && !path.endsWith(".d.mts")),
);

const IMPORTS = [/^(?:import|export)\s[^;()=]*?from\s+"([^"]+)"/gm, /^import\s+"([^"]+)"/gm, /\bimport\("([^"]+)"\)/g];

function importsOf(file: string): string[] {
	const text = read(file);
	return IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, specifier = ""]) => specifier));
}

/** The file that a path without its proper suffix means. */
function found(path: string): string | undefined {
	const stem = path.replace(/\.m?js$/, "");
	return [path, `${stem}.ts`, `${stem}.tsx`, `${stem}.mts`, `${stem}.js`, `${stem}/index.ts`].find(
		(file) => /\.\w+$/.test(file) && existsSync(join(root, file)),
	);
}

interface Import {
	from: string;
	specifier: string;
	/** The room, or else the chosen board, a package, Node's or the SDK's. */
	to: string;
	file: string | undefined;
}

const { dependencies, devDependencies } = JSON.parse(read("package.json"));
const packages = Object.keys({ ...dependencies, ...devDependencies });
const isFirmware = (file: string) => /^(src|boards)\//.test(file);

function resolve(from: string, specifier: string): Import {
	if (specifier.startsWith(".")) {
		const file = found(join(dirname(from), specifier));
		return { from, specifier, to: (file && roomOf(file)) ?? "nowhere", file };
	}
	const [first = ""] = specifier.split("/", 1);
	if (first === CHOSEN_BOARD) return { from, specifier, to: from.startsWith("boards/") ? "boards" : CHOSEN_BOARD, file: undefined };
	if (rooms.get(specifier)?.folder === `src/${specifier}.ts`) return { from, specifier, to: specifier, file: `src/${specifier}.ts` };
	if (specifier !== first && rooms.get(first)?.folder === `src/${first}`) return { from, specifier, to: first, file: found(`src/${specifier}`) };
	if (first === "simulator") return { from, specifier, to: "simulator", file: undefined };
	// The firmware has neither Node nor packages: what is left are the SDK's modules, and some have names of Node's.
	const isNode = specifier.startsWith("node:") || (builtinModules.includes(specifier) && !isFirmware(from));
	const isPackage = packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
	return { from, specifier, to: !isFirmware(from) && (isNode || isPackage) ? "packages" : "SDK", file: undefined };
}

const imports = sources.flatMap((file) => importsOf(file).map((specifier) => resolve(file, specifier)));

function isAllowed({ from, to }: Import): boolean {
	const room = roomOf(from);
	if (room === undefined) return false;
	if (to === room || to === "packages") return true;
	// What is not firmware has work-alikes of the SDK's modules, or runs on the SDK's own.
	if (to === "SDK") return room === SDK_ROOM || !isFirmware(from);
	const may = rooms.get(room)?.may;
	return to !== "nowhere" && (may === undefined || may.has(to));
}

describe("docs/architecture.md", () => {
	test("has every folder of the project, and none that is not there", () => {
		const there = readdirSync(join(root, "src"), { withFileTypes: true })
			.filter((entry) => entry.isDirectory() && entry.name !== "certificates")
			.map(({ name }) => `src/${name}`);
		const table = [...rooms.values()].map(({ folder }) => folder);
		expect(table.filter((folder) => folder.startsWith("src/") && !folder.endsWith(".ts")).sort()).toEqual(there.sort());
		for (const folder of table) expect([folder, existsSync(join(root, folder))]).toEqual([folder, true]);
		expect(sources.filter((file) => roomOf(file) === undefined)).toEqual([]);
	});

	test("names only rooms, and has no circle", () => {
		const known = new Set([...rooms.keys(), CHOSEN_BOARD]);
		for (const [name, { may }] of rooms) for (const to of may ?? []) expect([name, to, known.has(to)]).toEqual([name, to, true]);
		const arrows = new Map([...rooms].map(([name, { may }]) => [name, [...(may ?? [])]]));
		expect(circlesOf(arrows)).toEqual([]);
	});
});

test("every import is one that the table allows", () => {
	const breaches = imports.filter((it) => !isAllowed(it)).map(({ from, to, specifier }) => `${from} → ${to === "SDK" ? `SDK ${specifier}` : to}`);
	expect([...new Set(breaches)].sort()).toEqual([]);
});

test("no files import one another in a circle", () => {
	const arrows = new Map(sources.map((file) => [file, imports.filter(({ from }) => from === file).flatMap((it) => it.file ?? [])]));
	expect(
		circlesOf(arrows)
			.map((circle) => [...circle].sort().join(" ↔ "))
			.sort(),
	).toEqual([]);
});

/** The groups of nodes that can reach one another (Tarjan). */
function circlesOf(arrows: ReadonlyMap<string, readonly string[]>): string[][] {
	const index = new Map<string, number>();
	const low = new Map<string, number>();
	const stack: string[] = [];
	const circles: string[][] = [];
	const visit = (node: string) => {
		index.set(node, index.size);
		low.set(node, index.get(node) as number);
		stack.push(node);
		for (const next of arrows.get(node) ?? []) {
			if (!index.has(next)) visit(next);
			if (stack.includes(next)) low.set(node, Math.min(low.get(node) as number, low.get(next) as number));
		}
		if (low.get(node) !== index.get(node)) return;
		const circle = stack.splice(stack.indexOf(node));
		if (circle.length > 1 || arrows.get(node)?.includes(node)) circles.push(circle);
	};
	for (const node of arrows.keys()) if (!index.has(node)) visit(node);
	return circles;
}
