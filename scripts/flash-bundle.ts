// Makes an app of a few modules out of the project's many, for the flash of a chip: the same program with fewer slots and names.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type BuildFailure, type BuildOptions, type Metafile, type OutputFile, type Plugin, transform } from "esbuild";
import { root } from "../cli/boards.js";
import type { Build, Sdk } from "../cli/moddable.js";
import { Problem } from "../cli/program.js";
import { runEsbuild } from "../simulator/esbuild.js";
import { inlineNumbers, type Modules, shrinkMembers, shrinkNames } from "./shrink.js";

/** What mcconfig makes of an app's manifest. */
interface App {
	/** The files of all modules, by the modules' names. */
	readonly sources: ReadonlyMap<string, string>;
	/** The modules that run when the firmware is linked, by name. */
	readonly preloaded: ReadonlySet<string>;
	/** The name of the module that runs first. */
	readonly main: string;
}

const OPTIONS = {
	bundle: true,
	splitting: true,
	format: "esm",
	platform: "neutral",
	target: "es2022",
	charset: "utf8",
	legalComments: "none",
	logLevel: "silent",
	chunkNames: "firmware-[hash]",
	metafile: true,
	write: false,
	tsconfigRaw: { compilerOptions: { target: "es2022", useDefineForClassFields: true, verbatimModuleSyntax: true } },
} as const satisfies BuildOptions;

/**
 * Bundles the modules that an app's main module imports; those of the SDK stay what they are. What is preloaded stays apart from what is
 * not, since the functions of the one keep their texts in flash and those of the other need fewer bytes there.
 * @param build its `app` has the manifest; the bundle goes into a folder of its `output`
 * @returns the build with the bundle as its app
 * @throws Problem when mcconfig does not take the manifest, or a module does not build
 */
export async function bundleForFlash<T extends Build>(sdk: Sdk, build: T): Promise<T & { app: string }> {
	const folder = join(build.output, "bundle");
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(join(folder, "unbundled"), { recursive: true });
	// The linker keeps in it every name that any build of this folder has had.
	for (const path of readdirSync(build.output, { recursive: true, encoding: "utf8" }))
		if (basename(path) === "mc.xsi") rmSync(join(build.output, path));
	const whole = join(build.app ?? root, "manifest.json");
	const app = readApp(sdk, build, whole, join(folder, "unbundled"));
	const plain = plainModules(app, build.output);
	const { modules, bundled, hot } = await bundle(app, plain, folder).catch((error) => {
		const messages = (error as Partial<BuildFailure>).errors?.map(({ text }) => `\n  ${text}`);
		throw messages
			? new Problem(`The modules could not be bundled; perhaps the Moddable SDK in ${sdk.moddable} has them elsewhere:${messages.join("")}`)
			: error;
	});
	for (const [name, code] of modules) writeFileSync(join(folder, `${name}.js`), code);
	// What else there is in src has only types, or stands for a feature.
	const gone = [...plain].filter((name) => bundled.has(name) || app.sources.get(name)?.startsWith(join(root, "src", "/")));
	const manifest = {
		include: [whole],
		modules: {
			"~": [...gone.map((name) => (app.sources.get(name) as string).replace(/\.\w+$/, "")), join(root, "src", "features", "absent", "*")],
			...Object.fromEntries([...modules.keys()].map((name) => [name, `./${name}`])),
		},
		creation: { main: "main" },
		preload: [...modules.keys()].filter((name) => name !== "main" && !hot.has(name)),
	};
	writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest, undefined, "\t"));
	return { ...build, app: folder };
}

/** Lets mcconfig resolve a manifest with all that it includes, and reads what comes out. */
function readApp({ bin }: Sdk, { target, variables }: Build, manifest: string, output: string): App {
	const { BOARD, BOARD_DIR, ...rest } = process.env;
	const run = spawnSync(join(bin, "mcconfig"), ["-p", target, "-o", output, manifest], { env: { ...rest, ...variables }, encoding: "utf8" });
	const files = readdirSync(output, { recursive: true, encoding: "utf8" });
	const makefile = files.find((path) => basename(path) === "makefile" && !/[\\/]lib[\\/]/.test(path));
	if (run.error || run.status !== 0 || !makefile)
		throw new Problem(`mcconfig did not take ${manifest}:\n${run.error?.message ?? run.stdout + run.stderr}`);
	const flat = JSON.parse(readFileSync(join(output, dirname(makefile), "manifest_flat.json"), "utf8"));
	return { ...parseMakefile(readFileSync(join(output, makefile), "utf8")), main: flat.creation?.main ?? "main" };
}

/** Reads what modules there are from a makefile of mcconfig. */
export function parseMakefile(text: string): Omit<App, "main"> {
	const compiled = new Map([...text.matchAll(/^(\$\(TMP_DIR\)\/tsc\/\S+\.js) ?: (\S+)/gm)].map(([, script = "", source = ""]) => [script, source]));
	const name = (file: string) => file.replace(/^~\.(\w+)\//, "$1:").replace(/\.xsb$/, "");
	const sources = [...text.matchAll(/^\$\(MODULES_DIR\)\/(\S+\.xsb): (\S+)/gm)].map(([, file = "", source = ""]): [string, string] => [
		name(file),
		compiled.get(source) ?? source,
	]);
	return { sources: new Map(sources), preloaded: new Set([...text.matchAll(/^\t-p (\S+?)\\?$/gm)].map(([, file = ""]) => name(file))) };
}

/** The modules that can be bundled: written in plain JavaScript or TypeScript, not by mcconfig, and imported by no other kind. */
function plainModules({ sources }: App, output: string): Set<string> {
	const plain = new Set<string>();
	const others: string[] = [];
	for (const [name, source] of sources) {
		const code = existsSync(source) ? readFileSync(source, "utf8") : "";
		const isPlain = /\.[jt]s$/.test(source) && code !== "" && relative(output, source).startsWith("..") && !/@\s*"|\bnative\(/.test(code);
		if (isPlain) plain.add(name);
		else others.push(name);
	}
	// What is imported from outside stays outside, with all that it imports.
	for (const name of others) {
		const source = sources.get(name) as string;
		const code = existsSync(source) ? readFileSync(source, "utf8") : "";
		for (const [, imported = ""] of code.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g)) if (plain.delete(imported)) others.push(imported);
	}
	return plain;
}

/** @returns the bundle's modules by name, the modules that are in it, and which of the bundle's must not be preloaded */
async function bundle(
	app: App,
	plain: ReadonlySet<string>,
	folder: string,
): Promise<{ modules: Map<string, string>; bundled: Set<string>; hot: Set<string> }> {
	const main = app.sources.get(app.main) as string;
	const nameOf = new Map([...app.sources].map(([name, source]) => [source, name]));
	const options = { ...OPTIONS, absWorkingDir: folder, plugins: [moduleNames(app, plain, nameOf)] };
	const { metafile } = await runEsbuild({ ...options, entryPoints: [main], outdir: folder });
	const imports = new Map(
		Object.entries(metafile.inputs).map(([file, input]) => [
			resolve(folder, file),
			input.imports.filter(({ external }) => !external).map(({ path }) => resolve(folder, path)),
		]),
	);
	const isCold = (file: string) => app.preloaded.has(nameOf.get(file) ?? "");
	const cold = [...imports.keys()].filter(isCold);
	const hot = new Set([...closure(cold, imports)].filter((file) => !isCold(file)));
	// What those need comes first, so that no module of the bundle needs one that needs it.
	const leaves = [...closure([...hot], imports)].filter((file) => isCold(file) && ![...closure([file], imports)].some((below) => hot.has(below)));
	const entries = { leaves, hot: [...hot], cold };
	for (const [name, files] of Object.entries(entries))
		writeFileSync(join(folder, `${name}.js`), files.map((file) => `import ${JSON.stringify(file)};\n`).join(""));
	const parts = await runEsbuild({
		...options,
		entryPoints: { main, ...Object.fromEntries(Object.keys(entries).map((name) => [name, join(folder, `${name}.js`)])) },
		outdir: join(folder, "parts"),
	});
	const whole = await rewriteParts(folder, parts.outputFiles, ["main", ...Object.keys(entries)]);
	const inputs = (metafile: Metafile, output: string) => Object.keys(metafile.outputs[output]?.inputs ?? {});
	const isHot = (file: string) =>
		inputs(whole.metafile, basename(file))
			.flatMap((part) => inputs(parts.metafile, part))
			.some((source) => hot.has(resolve(folder, source)));
	const modules = [...whole.modules].filter(([file]) => !(basename(file, ".js") in entries));
	return {
		modules: new Map(modules.map(([file, code]) => [basename(file, ".js"), code])),
		bundled: new Set([...imports.keys()].map((file) => nameOf.get(file) ?? "")),
		hot: new Set(modules.filter(([file]) => isHot(file)).map(([file]) => basename(file, ".js"))),
	};
}

/**
 * Rewrites modules that esbuild has written, and puts them together anew.
 * @param folder gets a folder `parts` with the modules
 * @param entries the names of those that are entered, without their ending
 * @returns the modules by the names under which they import each other, and what is in them
 */
export async function rewriteParts(
	folder: string,
	parts: readonly OutputFile[],
	entries: readonly string[],
): Promise<{ modules: Modules; metafile: Metafile }> {
	mkdirSync(join(folder, "parts"));
	for (const [name, code] of await shrinkParts(namedOutputs(parts))) writeFileSync(join(folder, "parts", name), code);
	const { outputFiles, metafile } = await runEsbuild({
		...OPTIONS,
		absWorkingDir: folder,
		entryPoints: entries.map((name) => join(folder, "parts", `${name}.js`)),
		outdir: folder,
		packages: "external",
		minifyIdentifiers: true,
		minifySyntax: true,
	});
	return { modules: shrinkNames(namedOutputs(outputFiles)), metafile };
}

/** What esbuild has written, by the names under which the files import each other. */
function namedOutputs(files: readonly OutputFile[]): Map<string, string> {
	return new Map(files.map(({ path, text }) => [`./${basename(path)}`, text]));
}

async function shrinkParts(modules: Modules): Promise<Modules> {
	let parts = shrinkMembers(modules);
	// What is computed of numbers is a number too, once esbuild has computed it.
	for (let round = 0; round < 2; round++) {
		for (const [name, code] of parts) parts.set(name, (await transform(code, { format: "esm", target: "es2022", minifySyntax: true })).code);
		parts = inlineNumbers(parts);
	}
	return parts;
}

/** The files given and all that they import. */
function closure(files: readonly string[], imports: ReadonlyMap<string, readonly string[]>): Set<string> {
	const found = new Set(files);
	for (const file of found) for (const imported of imports.get(file) ?? []) found.add(imported);
	return found;
}

/** Finds modules by the names that they have in Moddable. */
function moduleNames({ sources }: App, plain: ReadonlySet<string>, nameOf: ReadonlyMap<string, string>): Plugin {
	return {
		name: "module-names",
		setup(build) {
			build.onResolve({ filter: /^[^/]/ }, ({ path, importer, kind }) => {
				if (kind === "entry-point") return undefined;
				const name = path.startsWith(".")
					? join(nameOf.get(importer) ?? "", "..", path)
							.replaceAll("\\", "/")
							.replace(/\.js$/, "")
					: path;
				const source = sources.get(name);
				if (source === undefined) return { errors: [{ text: `${importer} imports "${path}", which no manifest has` }] };
				return plain.has(name) ? { path: source } : { path: name, external: true };
			});
		},
	};
}
