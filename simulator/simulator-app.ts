// Makes the app that shows a board in Moddable's simulator: what the board's manifests declare, less what belongs to its chip,
// with simulated hardware under the names of the real modules.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { isSimulated } from "../cli/boards.js";
import { Problem } from "../cli/program.js";
import { PANEL_FILE, RUNTIME_MODULES } from "./bundle.js";

export interface SimulatorAppOptions {
	/** The folder of this project. */
	root: string;
	/** The folder of the Moddable SDK. */
	moddable: string;
	/** The board's folder. */
	board: string;
	/** The platform of this computer: "lin", "mac" or "win". */
	host: string;
	/** The folder in which this board's settings are kept; that of all simulators where it is not given. */
	settings?: string;
}

/** What the app's folder has to contain: texts by their paths in it. */
export type SimulatorApp = ReadonlyMap<string, string>;

/** A manifest of mcconfig, as far as it is looked into. */
type Manifest = { readonly [key: string]: unknown };

/** Where the modules are that stand in for those of hardware, in simulator/runtime. */
const HARDWARE = "hardware/";
/** What has paths in it, which begin at the manifest's folder. */
const WITH_PATHS = ["build", "modules", "resources", "data", "typescript"];
/** What a board's manifest says for any platform. */
const WITHOUT_PATHS = ["config", "creation", "defines", "strip"];

/** The specifiers of Moddable's hardware modules, and the simulated modules that stand in for them. */
export const STAND_INS: ReadonlyMap<string, string> = new Map(
	Object.entries(RUNTIME_MODULES)
		.filter(([, file]) => file.startsWith(HARDWARE))
		.map(([specifier, file]) => [specifier, `simulator/${file}`]),
);

/**
 * Makes the manifests and the modules of the app; nothing is written.
 * @throws Problem for a manifest that is not there or is not JSON
 */
export function createSimulatorApp(options: SimulatorAppOptions): SimulatorApp {
	const { root, moddable, board, host, settings } = options;
	const files = new Map<string, string>();
	const write = (path: string, manifest: object) => files.set(path, `${JSON.stringify(manifest, undefined, "\t")}\n`);
	/** The manifests that have been taken over, by their own paths. */
	const taken = new Map<string, string>();

	/** Takes a manifest over with all that it includes. @returns what to include in its place */
	const takeOver = (path: string): string => {
		const known = taken.get(path);
		if (known) return known;
		const name = `./manifest-${taken.size}.json`;
		taken.set(path, name);
		const manifest = read(path);
		const platform = objectOr(objectOr(manifest.platforms)[host]);
		write(name.slice(2), {
			include: includesOf(manifest, dirname(path)),
			...declared(manifest, dirname(path)),
			platforms: { [host]: { include: includesOf(platform, dirname(path)), ...declared(platform, dirname(path)) } },
		});
		return name;
	};
	/** Is it the firmware, which is the same on a computer? */
	const isFirmware = (path: string) => [join(root, "src"), join(root, "src", "features")].includes(dirname(path));
	const includesOf = ({ include }: Manifest, folder: string): unknown[] =>
		listOf(include).flatMap((entry: unknown) => {
			if (typeof entry !== "string") return [entry];
			const text = Object.entries({
				MODDABLE_MCP: root,
				MODDABLE: moddable,
				MODULES: join(moddable, "modules"),
				BUILD: join(moddable, "build"),
			}).reduce((result, [name, value]) => result.replaceAll(`$(${name})`, value), entry);
			if (text.includes("$(")) return [entry];
			const path = resolve(folder, text);
			if (isInside(moddable, path)) return bringsHardware(path, host) ? [] : [path];
			return [isInside(join(root, "simulator"), path) || isFirmware(path) ? path : takeOver(path)];
		});

	const modules: Record<string, string | string[]> = {
		// The board gets this name before a wildcard gives its file another one.
		"board/unwatched": join(board, "board"),
		"board/board": "./modules/board",
		"simulator/board-watch": join(root, "simulator/runtime/board-watch"),
		"simulator/watched-board": join(root, "simulator/runtime/watched-board"),
		"simulator/hardware/*": join(root, "simulator/runtime/hardware/*"),
	};
	files.set("modules/board.ts", 'export * from "board/unwatched";\nexport { createBoard } from "simulator/watched-board";\n');
	const names = join(board, PANEL_FILE);
	const named = JSON.stringify(existsSync(names) ? read(names) : {});
	files.set("modules/names.ts", `const names: { readonly [place: string]: object } = Object.freeze(${named});\nexport default names;\n`);
	modules["simulator/names"] = "./modules/names";
	for (const [specifier, module] of STAND_INS) {
		const file = `modules/${specifier.replace(/\W/g, "-")}.js`;
		files.set(file, `export * from "${module}";\nexport { default } from "${module}";\n`);
		modules[specifier] = `./${file}`;
	}
	// The base of every app brings it along.
	const serial = join(moddable, "modules/io/serial", host);
	if (existsSync(serial)) modules["~"] = [join(serial, "*")];
	write("stand-ins.json", { modules });

	const hasRadio = !isSimulated(String(objectOr(read(join(board, "manifest.json")).build).MCP_TARGET ?? ""));
	write("manifest.json", {
		build: { MODDABLE_MCP: root },
		include: ["./stand-ins.json", join(root, "simulator/moddable/manifest.json"), takeOver(join(board, "manifest.json"))],
		modules: { main: join(root, "src/main"), "features/*": join(root, "src/features/absent/*") },
		// A board with a radio joins a network that takes everybody; ssid= in the settings opens its set-up page.
		config: { url: "", ...(hasRadio ? { ssid: "simulated" } : {}), ...(settings === undefined ? {} : { file: { root: `${settings}/` } }) },
	});
	return files;
}

function read(path: string): Manifest {
	let text: string;
	try {
		text = readFileSync(path, "utf8");
	} catch {
		throw new Problem(`There is no manifest ${path}, which the board includes.`);
	}
	try {
		return objectOr(JSON.parse(text));
	} catch (error) {
		throw new Problem(`${path} is not JSON: ${(error as Error).message}`);
	}
}

/** What a manifest or one of its platforms declares for a computer too. */
function declared(manifest: Manifest, folder: string): Manifest {
	const entries = Object.entries(manifest).flatMap(([key, value]) =>
		WITH_PATHS.includes(key) ? [[key, absolute(value, folder)]] : WITHOUT_PATHS.includes(key) ? [[key, value]] : [],
	);
	// The tools live in flash as they do on the chip; the drivers and the board with them cannot, since simulated hardware changes.
	const preload = listOf(manifest.preload).filter((name) => String(name).startsWith("board/") && name !== "board/board");
	return Object.fromEntries(preload.length > 0 ? [...entries, ["preload", preload]] : entries);
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function absolute(value: unknown, folder: string): unknown {
	if (typeof value === "string") return /^\.\.?[\\/]/.test(value) ? `${resolve(folder, value)}${value.endsWith("/") ? "/" : ""}` : value;
	if (Array.isArray(value)) return value.map((item) => absolute(item, folder));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, absolute(member, folder)]));
}

/** Does a manifest of the SDK bring a module that a simulated one stands in for, or refuse this computer? */
function bringsHardware(path: string, host: string): boolean {
	if (!existsSync(path)) return false;
	const manifest = read(path);
	const { [host]: own, "...": others } = objectOr(manifest.platforms);
	if (own === undefined && objectOr(others).error !== undefined) return true;
	return [manifest, ...Object.values(objectOr(manifest.platforms)).map(objectOr)].some(({ modules, preload }) =>
		[...Object.keys(objectOr(modules)), ...listOf(preload)].some((name) => STAND_INS.has(String(name))),
	);
}

function objectOr(value: unknown): Manifest {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Manifest) : {};
}

function isInside(folder: string, path: string): boolean {
	return !/^\.\.([\\/]|$)/.test(relative(folder, path));
}
