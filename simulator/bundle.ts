// Bundles the firmware for a simulated machine: module names as in the manifests, Moddable's own modules from simulator/runtime.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, type Plugin, version } from "esbuild";
import { runEsbuild } from "./esbuild.js";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const RUNTIME = path.join(ROOT, "simulator", "runtime");

/** Module names of Moddable, and of the simulator, and the files in simulator/runtime that stand for them. */
export const RUNTIME_MODULES: { readonly [specifier: string]: string } = {
	"commodetto/Poco": "hardware/poco",
	"commodetto/parseBMF": "hardware/parse-bmf",
	"embedded:io/analog": "hardware/analog",
	"embedded:io/audio/out": "hardware/audio-out",
	"embedded:io/digital": "hardware/digital",
	"embedded:io/i2c": "hardware/i2c",
	"embedded:io/image/in/camera": "hardware/camera",
	"embedded:io/pwm": "hardware/pwm",
	"embedded:io/serial": "hardware/serial",
	"embedded:io/smbus": "hardware/smbus",
	Resource: "resource",
	crypt: "crypt",
	curve: "unavailable",
	ecdsa: "unavailable",
	ecp: "unavailable",
	modular: "unavailable",
	"embedded:io/socket/listener": "listener",
	"embedded:io/socket/tcp": "tcp",
	"embedded:io/socket/tcp/tls": "tls",
	"embedded:io/socket/udp": "udp",
	"embedded:network/dns/resolver/udp": "dns-resolver",
	"embedded:network/dnssd": "dns-sd",
	"embedded:network/mqtt/client": "mqtt-client",
	"embedded:network/websocket/client": "websocket-client",
	"embedded:storage/flash": "hardware/flash",
	"embedded:update": "hardware/update",
	ili9341: "hardware/ili9341",
	"mc/config": "mc-config",
	"mc/ffi": "hardware/ffi",
	neopixel: "hardware/neopixel",
	net: "net",
	"pins/digital": "hardware/pins-digital",
	"pins/servo": "hardware/servo",
	preference: "preference",
	"simulator/jpeg": "jpeg",
	"simulator/names": "names",
	"simulator/panel": "panel",
	"simulator/restart": "restart",
	"simulator/slots": "slots",
	"simulator/turns": "turns",
	"text/decoder": "text-decoder",
	time: "time",
	timer: "timer",
	wifi: "hardware/wifi",
};

/** Where a board's folder has the names of its parts. */
export const PANEL_FILE = "panel.json";

/** The namespace of a board's module board.ts with a watch on it. */
const WATCHED = "watched-board";

/** The folders under src/, whose names begin module names of the firmware. */
const FOLDERS = readdirSync(path.join(ROOT, "src")).filter((name) => !name.includes("."));

/** What to bundle. */
export interface BundleOptions {
	/** A folder's name in boards/, or a path. */
	board: string;
	/** The main module, from the project's root; src/main.ts when absent. */
	entry?: string | undefined;
	/** Modules of src/features to leave out, by name. */
	without?: readonly string[] | undefined;
	/** Makes the code of the script in the place of esbuild, which would do it with these options. */
	make?: ((options: BuildOptions) => Promise<string>) | undefined;
}

/** A firmware in one script. */
export interface Bundle {
	code: string;
	/** The source map of `code`, as JSON. */
	map: string;
}

const bundles = new Map<string, Promise<Bundle>>();

/**
 * Makes one script of the firmware; made once for each board and entry in a process.
 * @throws Error (as rejection) for an unknown board, and with esbuild's words for a module that does not build
 */
export function bundleFirmware({ board, entry = "src/main.ts", without = [], make }: BundleOptions): Promise<Bundle> {
	if (make) return bundleFiles(boardFolder(board), path.resolve(ROOT, entry), without, make).then(({ bundle }) => bundle);
	const key = JSON.stringify([board, entry, without]);
	let made = bundles.get(key);
	if (!made) {
		made = makeBundle(boardFolder(board), path.resolve(ROOT, entry), without);
		bundles.set(key, made);
		// What failed may be mended by the next attempt.
		made.catch(() => bundles.delete(key));
	}
	return made;
}

function boardFolder(board: string): string {
	const named = path.join(ROOT, "boards", board);
	const folder = /^[\w-]+$/.test(board) ? named : path.resolve(board);
	if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`there is no board "${board}": ${folder} is no folder`);
	return folder;
}

/** Bundles of earlier processes; what made them is compared before one is taken. */
const CACHE = path.join(ROOT, "node_modules", ".cache", "firmware-bundles");

/** How many are kept; about 0.4 MB each. */
const MAX_CACHED = 48;

interface CachedBundle {
	/** The hash of each file that went into it, by absolute path. */
	inputs: { [file: string]: string };
	bundle: Bundle;
}

/** Of code whose places are those of nothing else. */
const NO_MAP = '{"version":3,"sources":[],"names":[],"mappings":""}';

const hashOf = (content: string | Uint8Array) => createHash("sha1").update(content).digest("base64");

async function makeBundle(board: string, entry: string, without: readonly string[]): Promise<Bundle> {
	// This file decides what a module's name means, so a change of it makes all bundles anew.
	const key = hashOf(JSON.stringify([ROOT, board, entry, without, version, hashOf(readFileSync(fileURLToPath(import.meta.url)))]));
	const file = path.join(CACHE, `${key.replace(/\W/g, "")}.json`);
	const cached = readCached(file);
	if (cached !== undefined) return cached;
	const began = Date.now();
	const { bundle, inputs } = await bundleFiles(board, entry, without);
	// A file that changes meanwhile may be in the bundle as it was before.
	const settled = inputs.every((input) => statSync(input).mtimeMs < began);
	if (settled) writeCached(file, { inputs: Object.fromEntries(inputs.map((input) => [input, hashOf(readFileSync(input))])), bundle });
	return bundle;
}

function readCached(file: string): Bundle | undefined {
	try {
		const { inputs, bundle } = JSON.parse(readFileSync(file, "utf8")) as CachedBundle;
		return Object.entries(inputs).every(([input, hash]) => hashOf(readFileSync(input)) === hash) ? bundle : undefined;
	} catch {
		return undefined;
	}
}

function writeCached(file: string, bundle: CachedBundle): void {
	try {
		mkdirSync(CACHE, { recursive: true });
		// Several processes may write the same bundle.
		const draft = `${file}.${process.pid}`;
		writeFileSync(draft, JSON.stringify(bundle));
		renameSync(draft, file);
		const files = readdirSync(CACHE).map((name) => path.join(CACHE, name));
		const ages = new Map(files.map((name) => [name, statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0]));
		for (const old of files.sort((a, b) => (ages.get(b) ?? 0) - (ages.get(a) ?? 0)).slice(MAX_CACHED)) rmSync(old, { force: true });
	} catch {
		// Without a cache each process makes its own.
	}
}

async function bundleFiles(
	board: string,
	entry: string,
	without: readonly string[],
	make?: BundleOptions["make"],
): Promise<{ bundle: Bundle; inputs: string[] }> {
	const imports = [path.join(RUNTIME, "bridge.ts"), path.join(RUNTIME, "hardware", "device.ts"), entry];
	const options = {
		absWorkingDir: ROOT,
		metafile: true,
		stdin: { contents: imports.map((file) => `import ${JSON.stringify(file)};`).join("\n"), resolveDir: ROOT, sourcefile: "firmware.ts" },
		bundle: true,
		write: false,
		outfile: path.join(ROOT, "firmware.js"),
		sourcemap: "external",
		sourcesContent: false,
		format: "iife",
		platform: "neutral",
		target: "es2022",
		// The worker's XS cannot reach a class by its name from its own static parts, so those move behind the class.
		supported: { "class-static-blocks": false, "class-static-field": false },
		charset: "utf8",
		legalComments: "none",
		logLevel: "silent",
		tsconfigRaw: { compilerOptions: { target: "es2022", useDefineForClassFields: true, verbatimModuleSyntax: true } },
		plugins: [moduleNames(board, without)],
	} satisfies BuildOptions;
	if (make) return { bundle: { code: asScript(await make(options)), map: NO_MAP }, inputs: [] };
	const { outputFiles, metafile } = await runEsbuild(options);
	const [map, code] = ["firmware.js.map", "firmware.js"].map((name) => outputFiles.find((file) => path.basename(file.path) === name)?.text ?? "");
	const inputs = Object.keys(metafile.inputs)
		.map((input) => path.resolve(ROOT, input.replace(`${WATCHED}:`, "")))
		.filter((input) => existsSync(input));
	return { bundle: { code: asScript(code ?? ""), map: map ?? "" }, inputs };
}

/** It begins on the first line, so that no other moves. */
function asScript(code: string): string {
	return `try { (function () { ${code}\n})(); } catch (reason) { handleFailure(reason); }`;
}

function moduleNames(board: string, without: readonly string[]): Plugin {
	return {
		name: "module-names",
		setup(build) {
			build.onResolve({ filter: /^[^./]/ }, ({ path: specifier, importer, kind }) => {
				if (kind === "entry-point" || path.isAbsolute(specifier)) return undefined;
				const names = path.join(board, PANEL_FILE);
				if (specifier === "simulator/names" && existsSync(names)) return { path: names };
				const runtime = RUNTIME_MODULES[specifier];
				if (runtime) return { path: path.join(RUNTIME, `${runtime}.ts`) };
				if (specifier === "board/unwatched") return { path: path.join(board, "board.ts") };
				if (specifier === "main") return found(path.join(ROOT, "src", "main"), specifier);
				// The firmware gets the board with somebody who looks at it; the board's own files get each other.
				if (specifier === "board/board" && path.relative(board, importer).startsWith(".."))
					return { path: path.join(board, "board.ts"), namespace: WATCHED };
				const slash = specifier.indexOf("/");
				const folder = specifier.slice(0, slash);
				const rest = specifier.slice(slash + 1);
				if (folder === "board") return found(path.join(board, rest), specifier);
				if (FOLDERS.includes(folder)) return found(path.join(ROOT, "src", folder, rest), specifier);
				const where = path.relative(ROOT, importer);
				return { errors: [{ text: `${where} imports "${specifier}", which the simulator does not have` }] };
			});
			build.onResolve({ filter: /^\.\/features\/\w+\.js$/ }, ({ path: specifier }) => {
				const feature = path.basename(specifier, ".js");
				return without.includes(feature) ? { path: path.join(ROOT, "src", "features", "absent", `${feature}.ts`) } : undefined;
			});
			// As the manifest says: the build's configuration chooses.
			build.onResolve({ filter: /^\.\/language\.js$/ }, () => ({ path: path.join(ROOT, "src", "sdk", "language.ts") }));
			build.onLoad({ filter: /.*/, namespace: WATCHED }, ({ path: file }) => ({
				contents: `export * from ${JSON.stringify(file)};
					export { createBoard } from ${JSON.stringify(path.join(RUNTIME, "watched-board.ts"))};`,
				resolveDir: ROOT,
			}));
		},
	};
}

function found(file: string, specifier: string): { path: string } | { errors: { text: string }[] } {
	for (const candidate of [`${file}.ts`, `${file}.js`, path.join(file, "index.ts")]) if (existsSync(candidate)) return { path: candidate };
	return { errors: [{ text: `there is no module "${specifier}": looked for ${path.relative(ROOT, file)}.ts` }] };
}
