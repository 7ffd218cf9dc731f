// Bundles the firmware for a simulated machine: module names as in the manifests, Moddable's own modules from simulator/runtime.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

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
	"embedded:network/http/server": "http-server",
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
	"simulator/panel": "panel",
	"simulator/restart": "restart",
	"simulator/slots": "slots",
	"simulator/turns": "turns",
	"text/decoder": "text-decoder",
	time: "time",
	timer: "timer",
	wifi: "hardware/wifi",
};

/** The namespace of a board's module board.ts with a watch on it. */
const WATCHED = "watched-board";

const FOLDERS = ["base", "mcp", "hardware", "sdk", "net", "tls", "http", "transports", "session", "settings", "setup", "drivers", "tools", "system"];

/** What to bundle. */
export interface BundleOptions {
	/** A folder's name in boards/, or a path. */
	board: string;
	/** The main module, from the project's root; src/main.ts when absent. */
	entry?: string | undefined;
}

const bundles = new Map<string, Promise<string>>();

/**
 * Makes one script of the firmware; made once for each board and entry in a process.
 * @throws Error (as rejection) for an unknown board, and with esbuild's words for a module that does not build
 */
export function bundleFirmware({ board, entry = "src/main.ts" }: BundleOptions): Promise<string> {
	const key = JSON.stringify([board, entry]);
	let bundle = bundles.get(key);
	if (!bundle) {
		bundle = makeBundle(boardFolder(board), path.resolve(ROOT, entry));
		bundles.set(key, bundle);
		// What failed may be mended by the next attempt.
		bundle.catch(() => bundles.delete(key));
	}
	return bundle;
}

function boardFolder(board: string): string {
	const named = path.join(ROOT, "boards", board);
	const folder = /^[\w-]+$/.test(board) ? named : path.resolve(board);
	if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`there is no board "${board}": ${folder} is no folder`);
	return folder;
}

async function makeBundle(board: string, entry: string): Promise<string> {
	const imports = [path.join(RUNTIME, "bridge.ts"), path.join(RUNTIME, "hardware", "device.ts"), entry];
	const { outputFiles } = await build({
		stdin: { contents: imports.map((file) => `import ${JSON.stringify(file)};`).join("\n"), resolveDir: ROOT, sourcefile: "firmware.ts" },
		bundle: true,
		write: false,
		format: "iife",
		platform: "neutral",
		target: "es2022",
		// The worker's XS cannot reach a class by its name from its own static parts, so those move behind the class.
		supported: { "class-static-blocks": false, "class-static-field": false },
		charset: "utf8",
		legalComments: "none",
		logLevel: "silent",
		tsconfigRaw: { compilerOptions: { target: "es2022", useDefineForClassFields: true, verbatimModuleSyntax: true } },
		plugins: [moduleNames(board)],
	});
	const code = outputFiles[0]?.text ?? "";
	return `try { (function () { ${code}\n})(); } catch (reason) { handleFailure(reason); }`;
}

function moduleNames(board: string): Plugin {
	return {
		name: "module-names",
		setup(build) {
			build.onResolve({ filter: /^[^./]/ }, ({ path: specifier, importer, kind }) => {
				if (kind === "entry-point" || path.isAbsolute(specifier)) return undefined;
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
