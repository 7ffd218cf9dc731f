// Compiles the C half of a board's firmware against ESP-IDF's headers, without linking it with ESP-IDF.

import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { type BoardFolder, root } from "./boards.js";
import { mergeOptions } from "./idf-options.js";
import type { Build, Sdk } from "./moddable.js";
import { Problem } from "./program.js";

/** What is on this computer to compile with. */
export interface ChipTools {
	sdk: Sdk;
	/** ESP-IDF's folder. */
	idf: string;
	version: string;
	/** A Python that has kconfgen. */
	python: string;
}

export interface Natives {
	/** How far it went: compiled, or only parsed because there is no compiler for the chip. */
	depth: "compiled" | "parsed";
	/** Names of the C files that went through. */
	files: string[];
	/** The compiler's and the linker's complaints, and those about the functions called by FFI. */
	errors: string[];
	/** ESP-IDF's configuration that came of the board's options. */
	options: Map<string, string>;
	/** The functions called by FFI whose declarations were compared. */
	compared: string[];
	/** Bytes of flash of everything but ESP-IDF and the C library, where it was compiled. */
	size?: number;
}

/** A bare compiler from Debian; its newlib is older than Espressif's. */
const DEBIAN = "riscv64-unknown-elf";
const DEBIAN_NEWLIB = "/usr/include/newlib";
/** What the SDK's main task calls of the archive. */
const ENTRIES = [
	"xsPreparationAndCreation",
	"modRunMachineSetup",
	"modTimersExecute",
	"modMessageService",
	"modTimersNext",
	"modPrelaunch",
	"modCloneMachine",
];

/**
 * Looks for ESP-IDF's headers and what reads its options.
 * @throws Problem that names everything that is missing
 */
export function findChipTools(sdk: Sdk): ChipTools {
	const idf = process.env.IDF_PATH ?? "";
	const python = [join(process.env.IDF_PYTHON_ENV_PATH ?? "", "bin", "python"), "python3", "/usr/bin/python3"].find(
		(path) => spawnSync(path, ["-c", "import kconfgen"], { stdio: "ignore" }).status === 0,
	);
	const missing = [
		!idf && "ESP-IDF: the environment variable IDF_PATH is not set.",
		idf && !existsSync(join(idf, "components")) && `ESP-IDF: IDF_PATH names ${idf}, and there are no components.`,
		idf &&
			existsSync(join(idf, "components")) &&
			!existsSync(join(idf, "components/lwip/lwip/src/include")) &&
			"lwIP, a submodule of ESP-IDF: git submodule update --init components/lwip/lwip",
		!python && "kconfgen, which reads ESP-IDF's options: source $IDF_PATH/export.sh, or pip install esp-idf-kconfig.",
		!hasCompiler("riscv32-esp-elf") && !hasDebian() && `A compiler: Espressif's, or Debian's packages gcc-${DEBIAN} and libnewlib-dev.`,
		spawnSync("make", ["--version"], { stdio: "ignore" }).error && "make.",
	].filter((line) => typeof line === "string" && line !== "");
	if (missing.length > 0) throw new Problem(`Missing for compiling the natives:\n  ${missing.join("\n  ")}`);
	const version = spawnSync("git", ["-C", idf, "describe", "--always", "--abbrev=0"], { encoding: "utf8" }).stdout?.trim() ?? "";
	return { sdk, idf, version, python: python as string };
}

/**
 * Compiles a release build's natives with the board's own options of ESP-IDF.
 * @param bundle makes the app that is linked; it is told where to
 * @throws Problem when the JavaScript half does not get that far
 */
export async function compileNatives(
	tools: ChipTools,
	board: BoardFolder,
	output: string,
	bundle: (build: Build) => Promise<{ app: string }>,
): Promise<Natives> {
	const { sdk, idf } = tools;
	rmSync(output, { recursive: true, force: true });
	mkdirSync(output, { recursive: true });
	const bin = join(output, "tools");
	const env: NodeJS.ProcessEnv = {
		...process.env,
		...mergeOptions(sdk, { target: board.target, output, board: board.path }),
		...board.variables,
		IDF_PATH: idf,
		PATH: [bin, join(root, "node_modules", ".bin"), sdk.bin, process.env.PATH].join(delimiter),
	};
	if (board.named) delete env.BOARD_DIR;
	const { app } = await bundle({ target: board.target, output, variables: board.variables });
	const configured = await run(join(sdk.bin, "mcconfig"), ["-p", board.target, "-o", output, join(app, "manifest.json")], env);
	const makefile = find(join(output, "tmp"), (path) => basename(path) === "makefile" && !/[\\/]lib[\\/]/.test(path));
	const project = find(output, (path) => basename(path) === "sdkconfig.mc")?.replace(/[\\/]sdkconfig\.mc$/, "");
	if (configured.code !== 0 || !makefile || !project) throw new Problem(`${board.name}: mcconfig failed:\n${configured.log}`);
	const chip = basename(project).replace("xsProj-", "");
	const options = configure(tools, project, chip);
	const depth = makeToolchain(bin, chip);

	const build = dirname(makefile);
	const rules = join(output, "natives.mk");
	writeFileSync(rules, RULES);
	const make = (...goals: string[]) => run("make", ["-k", `-j${cpus().length}`, "-f", makefile, "-f", rules, ...goals], env);
	const { code, log } = await make("main-task");
	const errors = [...new Set(log.split("\n"))].filter((line) => /: (fatal )?error: |undefined reference|^make: \*\*\* No rule/.test(line));
	if (code !== 0 && errors.length === 0) errors.push(...log.trimEnd().split("\n").slice(-10));
	const files = [...new Set([...log.matchAll(/^# cc (\S+?)(\.o)?( |$)/gm)].map(([, name = ""]) => name))];

	const { compared, complaints } = await compareDeclarations({ idf, build, make });
	errors.push(...complaints);
	const archive = find(join(output, "bin"), (path) => path.endsWith(`xs_${chip}.a`));
	const size = depth === "compiled" && archive && errors.length === 0 ? measure(bin, chip, archive, join(output, "natives.elf")) : undefined;
	return { depth, files, errors, options, compared, ...(size === undefined ? {} : { size }) };
}

/** Goals beside the SDK's: its main task, which ESP-IDF's build compiles, and the comparison of declarations. */
const RULES = `
EVERY_INCLUDE = $(foreach dir,$(filter-out %/linux/include,$(wildcard $(IDF_PATH)/components/*/include)),-I$(dir))
main-task: precursor
	@echo "# cc main.c"
	$(CC) $(C_DEFINES) $(C_INCLUDES) $(EVERY_INCLUDE) $(C_FLAGS) $(PROJ_DIR)/main/main.c -o $(TMP_DIR)/main.c.o
# The files that name a source's headers would go where make was started.
CHECK_FLAGS = $(filter-out -M%,$(C_FLAGS)) -fsyntax-only
declarations: $(TMP_DIR)/declarations.c
	$(CC) $(C_DEFINES) $(C_INCLUDES) $(EVERY_INCLUDE) $(CHECK_FLAGS) -aux-info $(TMP_DIR)/declarations.txt $<
comparison: $(TMP_DIR)/comparison.c
	$(CC) $(C_DEFINES) $(C_INCLUDES) $(EVERY_INCLUDE) $(CHECK_FLAGS) $<
`;

/** Has kconfgen make sdkconfig.h of the options, as idf.py would. */
function configure({ idf, python }: ChipTools, project: string, chip: string): Map<string, string> {
	const folder = join(project, "build");
	const config = join(folder, "config");
	mkdirSync(config, { recursive: true });
	const components = (name: string) =>
		readdirSync(join(idf, "components"))
			.map((component) => join(idf, "components", component, name))
			.filter((path) => existsSync(path))
			.join(";");
	const environment = join(folder, "environment.json");
	writeFileSync(
		environment,
		JSON.stringify({
			COMPONENT_KCONFIGS: components("Kconfig"),
			COMPONENT_KCONFIGS_PROJBUILD: components("Kconfig.projbuild"),
			COMPONENT_SDKCONFIG_RENAMES: components("sdkconfig.rename"),
			COMPONENT_KCONFIGS_SOURCE_FILE: join(folder, "kconfigs.in"),
			COMPONENT_KCONFIGS_PROJBUILD_SOURCE_FILE: join(folder, "kconfigs_projbuild.in"),
			IDF_TARGET: chip,
			IDF_TOOLCHAIN: "gcc",
			IDF_VERSION: "",
			IDF_ENV_FPGA: "",
			IDF_PATH: idf,
		}),
	);
	const shared = ["--list-separator=semicolon", "--env-file", environment];
	const made = join(project, "sdkconfig");
	for (const args of [
		[join(idf, "tools/kconfig_new/prepare_kconfig_files.py"), ...shared],
		[
			...["-m", "kconfgen", ...shared, "--kconfig", join(idf, "Kconfig"), "--sdkconfig-rename", join(idf, "sdkconfig.rename")],
			...["--config", made, "--defaults", join(project, "sdkconfig.mc"), "--env", "IDF_MINIMAL_BUILD=n"],
			...["--output", "header", join(config, "sdkconfig.h"), "--output", "config", made],
		],
	]) {
		const { status, stdout, stderr } = spawnSync(python, args, { encoding: "utf8", env: { ...process.env, KCONFIG_REPORT_VERBOSITY: "quiet" } });
		if (status !== 0) throw new Problem(`ESP-IDF's options of ${chip} could not be read:\n${stdout}${stderr}`);
	}
	return new Map([...readFileSync(made, "utf8").matchAll(/^CONFIG_(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));
}

/**
 * Fills a folder that goes before PATH: an idf.py that does nothing, and where Espressif's compiler is missing a stand-in of its name.
 * @returns how far the compiler goes for this chip
 */
function makeToolchain(bin: string, chip: string): Natives["depth"] {
	const program = (name: string, text: string) => {
		writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
		chmodSync(join(bin, name), 0o755);
	};
	mkdirSync(bin, { recursive: true });
	program("idf.py", "exit 0");
	const prefix = prefixOf(chip);
	if (hasCompiler(prefix)) return "compiled";
	// Espressif's newlib declares this variable without const.
	const includes = join(bin, "include");
	mkdirSync(join(includes, "sys"), { recursive: true });
	writeFileSync(
		join(includes, "sys", "reent.h"),
		"#define _global_impure_ptr newlib_impure_ptr\n#include_next <sys/reent.h>\n#undef _global_impure_ptr\n",
	);
	const compiler = `${DEBIAN}-gcc -march=rv32imc_zicsr_zifencei -mabi=ilp32 -isystem ${includes} -isystem ${DEBIAN_NEWLIB}`;
	const without = (flags: string, command: string) => `for a; do shift; case "$a" in ${flags}) continue;; esac; set -- "$@" "$a"; done\n${command}`;
	if (prefix.startsWith("riscv")) {
		program(`${prefix}-gcc`, without("-march=*", `exec ${compiler} "$@"`));
		for (const tool of ["ar", "objdump", "objcopy", "size"]) program(`${prefix}-${tool}`, `exec ${DEBIAN}-${tool} "$@"`);
		return "compiled";
	}
	// The headers ask which processor it is; what a RISC-V compiler would make of the code is of no use.
	const defines =
		"-U__riscv -D__XTENSA__=1 -D__XTENSA_EL__=1 -D__XTENSA_WINDOWED_ABI__=1 -D__XTENSA_CALL0_ABI__=0 -D__XTENSA_SOFT_FLOAT__=0 -D_JBTYPE=int -D_JBLEN=17";
	program(
		`${prefix}-gcc`,
		`out=; last=; for a; do [ "$last" = -o ] && out="$a"; last="$a"; done
${without("-mlongcalls|-mtext-section-literals|-c", `${compiler} ${defines} -fsyntax-only "$@" || exit 1`)}
[ -z "$out" ] || : > "$out"`,
	);
	program(`${prefix}-ar`, 'for a; do case "$a" in *.a) : > "$a"; exit 0;; esac; done');
	for (const tool of ["objdump", "objcopy"]) program(`${prefix}-${tool}`, "exit 0");
	return "parsed";
}

function prefixOf(chip: string): string {
	return /^esp32(s[23])?$/.test(chip) ? `xtensa-${chip}-elf` : "riscv32-esp-elf";
}

function hasCompiler(prefix: string): boolean {
	return !spawnSync(`${prefix}-gcc`, ["--version"], { stdio: "ignore" }).error;
}

function hasDebian(): boolean {
	return hasCompiler(DEBIAN) && existsSync(DEBIAN_NEWLIB);
}

/** A function as FFI declares it for itself. */
export interface Declaration {
	name: string;
	returns: string;
	arguments: string[];
	/** Bytes of the buffer that is handed over, by the argument's number. */
	buffers: Map<number, number>;
}

const SIZES: { [type: string]: number } = {
	int8_t: 1,
	uint8_t: 1,
	int16_t: 2,
	uint16_t: 2,
	int32_t: 4,
	uint32_t: 4,
	float: 4,
	double: 8,
	int64_t: 8,
	uint64_t: 8,
};

/** Reads the C file that the SDK generates for FFI. */
export function readFfi(source: string): Declaration[] {
	return [...source.matchAll(/^extern ([^();]+?)\s*\b(\w+)\(([^)]*)\);/gm)].map(([, returns = "", name = "", list = ""]) => {
		const body = new RegExp(`^static void xs_${name}\\(.*?^}`, "ms").exec(source)?.[0] ?? "";
		const buffers = [...body.matchAll(/void\*\* arg(\d+) = .*mxArgv\(\d+\), (\d+) \* sizeof\((\w+)\)/g)];
		return {
			name,
			returns: returns.trim(),
			arguments: list.trim() === "" ? [] : list.split(",").map((argument) => argument.replace(/\s*\barg\d+\s*$/, "").trim()),
			buffers: new Map(buffers.map(([, index, count, type = ""]) => [Number(index), Number(count) * (SIZES[type] ?? 0)])),
		};
	});
}

/**
 * Reads what GCC lists of the declarations in headers (`-aux-info`).
 * @returns types of the result and of the arguments, by the function's name
 */
export function readDeclarations(list: string): Map<string, { returns: string; arguments: string[] }> {
	return new Map(
		[...list.matchAll(/\*\/ (?:extern|static) (.+?)\b(\w+) \((.*)\);/g)].map(([, returns = "", name = "", types = ""]) => [
			name,
			{ returns: returns.trim(), arguments: types === "void" || types === "" ? [] : splitTypes(types) },
		]),
	);
}

/** Commas within the parentheses of a function pointer do not part arguments. */
function splitTypes(list: string): string[] {
	const types = [""];
	let depth = 0;
	for (const character of list) {
		if (character === "(") depth++;
		if (character === ")") depth--;
		if (character === "," && depth === 0) types.push("");
		else types[types.length - 1] += character;
	}
	return types.map((type) => type.trim());
}

/**
 * C that compiles only if a call by FFI passes what ESP-IDF's function takes: the same number of words, and buffers large enough.
 * @returns lines of C, and what can be told without a compiler
 */
export function compareDeclaration(
	ffi: Declaration,
	idf: { returns: string; arguments: string[] } | undefined,
): { lines: string[]; complaints: string[] } {
	if (!idf) return { lines: [], complaints: [`${ffi.name}: no header of ESP-IDF declares it`] };
	if (idf.arguments.length !== ffi.arguments.length)
		return {
			lines: [],
			complaints: [`${ffi.name}: ESP-IDF takes ${idf.arguments.length} arguments (${idf.arguments.join(", ")}), FFI gives ${ffi.arguments.length}`],
		};
	const lines: string[] = [];
	const same = (what: string, ours: string, theirs: string) => {
		if (ours === "void" && theirs === "void") return;
		const told = `${ffi.name}: ${what} is ${theirs}, FFI has ${ours}`;
		// A float travels in other registers than a word of the same size.
		lines.push(
			`_Static_assert(sizeof(__typeof__(${theirs})) == sizeof(__typeof__(${ours})) && IS_REAL(${theirs}) == IS_REAL(${ours}), ${JSON.stringify(told)});`,
		);
	};
	same("the result", ffi.returns, idf.returns);
	ffi.arguments.forEach((ours, index) => {
		const theirs = idf.arguments[index] as string;
		same(`argument ${index}`, ours, theirs);
		const bytes = ffi.buffers.get(index);
		if (bytes !== undefined)
			lines.push(
				`_Static_assert(sizeof(*(__typeof__(${theirs}))0) <= ${bytes}, ${JSON.stringify(`${ffi.name}: argument ${index} points to ${theirs}, and FFI hands over ${bytes} bytes`)});`,
			);
	});
	return { lines, complaints: [] };
}

async function compareDeclarations(options: {
	idf: string;
	build: string;
	make: (...goals: string[]) => Promise<{ code: number; log: string }>;
}): Promise<{ compared: string[]; complaints: string[] }> {
	const { idf, build, make } = options;
	const generated = join(build, "mc.ffi.c");
	if (!existsSync(generated)) return { compared: [], complaints: [] };
	const functions = readFfi(readFileSync(generated, "utf8"));
	const headers = findHeaders(
		idf,
		functions.map(({ name }) => name),
	);
	const includes = headers.map((path) => `#include "${path}"\n`).join("");
	writeFileSync(join(build, "declarations.c"), includes);
	const { code, log } = await make("declarations");
	const list = join(build, "declarations.txt");
	if (code !== 0 || !existsSync(list)) return { compared: [], complaints: [`The declarations of ESP-IDF could not be read:\n${log}`] };
	const declared = readDeclarations(readFileSync(list, "utf8"));
	const results = functions.map((ffi) => compareDeclaration(ffi, declared.get(ffi.name)));
	const real = "#define IS_REAL(type) (__builtin_classify_type(*(__typeof__(type) *)0) == 8)\n";
	writeFileSync(join(build, "comparison.c"), `${includes}${real}${results.flatMap(({ lines }) => lines).join("\n")}\n`);
	const comparison = await make("comparison");
	const failed = [...comparison.log.matchAll(/error: (?:static assertion failed: )?(.*)/g)].map(([, text = ""]) => text);
	return { compared: functions.map(({ name }) => name), complaints: [...results.flatMap(({ complaints }) => complaints), ...failed] };
}

/** Public headers in which one of the functions seems to be declared. */
function findHeaders(idf: string, names: string[]): string[] {
	const declaration = new RegExp(`^(?!\\s*(\\*|//|#|return\\b)).*\\b(${names.join("|")})\\s*\\(`, "m");
	return readdirSync(join(idf, "components")).flatMap((component) => {
		const folder = join(idf, "components", component, "include");
		if (component === "linux" || !existsSync(folder)) return [];
		return readdirSync(folder, { recursive: true, encoding: "utf8" })
			.filter((path) => path.endsWith(".h") && !path.includes("private"))
			.map((path) => join(folder, path))
			.filter((path) => declaration.test(readFileSync(path, "utf8")));
	});
}

/** Links the archive alone, without what nothing uses; calls of ESP-IDF and the C library stay open. */
function measure(bin: string, chip: string, archive: string, output: string): number | undefined {
	const prefix = prefixOf(chip);
	const tool = (name: string) => (existsSync(join(bin, `${prefix}-${name}`)) ? join(bin, `${prefix}-${name}`) : `${prefix}-${name}`);
	const linked = spawnSync(
		tool("gcc"),
		[
			...["-nostdlib", "-Wl,--gc-sections", "-Wl,--unresolved-symbols=ignore-all", `-Wl,-e,${ENTRIES[0]}`],
			...[...ENTRIES.map((name) => `-Wl,-u,${name}`), archive, "-o", output],
		],
		{ encoding: "utf8" },
	);
	if (linked.status !== 0) return undefined;
	const [, text = 0, data = 0] = /^\s*(\d+)\s+(\d+)/m.exec(spawnSync(tool("size"), [output], { encoding: "utf8" }).stdout ?? "") ?? [];
	return Number(text) + Number(data);
}

function find(folder: string, matches: (path: string) => boolean): string | undefined {
	if (!existsSync(folder)) return undefined;
	return readdirSync(folder, { recursive: true, encoding: "utf8" })
		.map((path) => join(folder, path))
		.find(matches);
}

function run(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<{ code: number; log: string }> {
	return new Promise((done, fail) => {
		const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
		let log = "";
		for (const stream of [child.stdout, child.stderr])
			stream.setEncoding("utf8").on("data", (text: string) => {
				log += text;
			});
		child.once("error", (error) => fail(new Problem(`${basename(program)} did not start: ${error.message}`)));
		child.once("close", (code) => done({ code: code ?? 1, log }));
	});
}
