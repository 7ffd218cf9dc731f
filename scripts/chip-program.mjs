// An app as a program of this computer: its JavaScript linked for an ESP32, on a machine with slots and chunks as on the chip.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { root } from "../cli/boards.js";
import { bundleForFlash } from "./flash-bundle.js";
import { createIdfStandIn, linkJavaScript, run } from "./link.mjs";

/** What XS and the natives of a board without parts are made of, in the SDK. Others are left out: nothing calls them. */
const XS_SOURCES =
	"All API Arguments Array Atomics BigInt Boolean Code Common DataView Date Debug Error Function Generator Global JSON Lexical MapSet Marshall Math Memory Module Number Object Platforms Promise Property Proxy RegExp Run Scope Script SourceMap String Symbol Syntaxical Tree Type dtoa mc re"
		.split(" ")
		.map((name) => `xs/sources/xs${name}.c`);
const NATIVES = [
	...["timer/modTimer", "timer/mc/timer", "time/lin/modTime"].map((name) => `base/${name}`),
	...["common/builtinCommon", "socket/lin/udp"].map((name) => `io/${name}`),
	...["logical/modLogical", "text/decoder/textdecoder"].map((name) => `data/${name}`),
	...["modCrypt", ...["chacha", "fips180", "fips197", "fips46", "ghash", "rc", "rfc1321"].map((name) => `kcl/${name}`)].map(
		(name) => `crypt/digest/${name}`,
	),
].map((name) => `modules/${name}.c`);
/** And of TLS: they compile only where their JavaScript is linked. */
const TLS_NATIVES = [
	...["arith/ec", "arith/modular", "arith/mont", "arith/xsBigIntEx", "bin/bin", "etc/x509"].map((name) => `crypt/${name}`),
	"files/resource/Resource",
].map((name) => `modules/${name}.c`);
const INCLUDES = [
	...["includes", "sources", "platforms"].map((name) => `xs/${name}`),
	...["base/timer", "base/instrumentation", "io/common", "crypt/arith", "crypt/digest", "crypt/digest/kcl"].map((name) => `modules/${name}`),
];

/**
 * Compiles the machine, for 32 bits where this computer can.
 * @param {{ moddable: string }} sdk
 * @returns {string[]} gcc's options for everything, and the machine's object files
 */
export function compileEngine({ moddable }) {
	const folder = join(root, "build", "chip-program", "engine");
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "probe.c"), "#include <stdlib.h>\nint main(void) { return 0; }\n");
	const narrow = spawnSync("gcc", ["-m32", join(folder, "probe.c"), "-o", join(folder, "probe")], { stdio: "ignore" }).status === 0;
	if (!narrow)
		console.log(
			"NOT AS ON A CHIP: measured for 64 bits, where chunks take more; gcc cannot build for 32 (Debian and Ubuntu: apt install gcc-multilib).\n",
		);
	const options = [
		...(narrow ? ["-m32"] : []),
		...["-O1", "-w", "-DINCLUDE_XSPLATFORM=1", '-DXSPLATFORM="chip.h"', "-DmxRun=1", `-I${join(root, "scripts", "memory")}`],
		...INCLUDES.map((path) => `-I${join(moddable, path)}`),
	];
	const objects = XS_SOURCES.map((source) => {
		const object = join(folder, `${basename(source)}.o`);
		run("gcc", [...options, "-c", join(moddable, source), "-o", object]);
		return object;
	});
	return [...options, ...objects];
}

/**
 * Bundles and links an app as a release build does.
 * @param {{ bin: string, moddable: string }} sdk
 * @param {string[]} engine what `compileEngine` gave
 * @param {string} app a folder with its manifest
 * @returns {Promise<string>} the program's path
 */
export async function buildProgram(sdk, engine, app) {
	const output = join(app, "out");
	mkdirSync(output, { recursive: true });
	const idf = join(root, "build", "chip-program", "idf");
	const bundled = await bundleForFlash(sdk, { target: "esp32", output, app });
	const { linked, build } = linkJavaScript(sdk, "esp32", output, join(bundled.app, "manifest.json"), {
		...process.env,
		IDF_PATH: createIdfStandIn(idf),
		PATH: [join(root, "node_modules", ".bin"), sdk.bin, join(idf, "tools"), process.env.PATH].join(delimiter),
	});
	// The SDK's socket looks only so often whether something has come, in milliseconds.
	const tcp = join(app, "tcp.c");
	writeFileSync(tcp, readFileSync(join(sdk.moddable, "modules/io/socket/lin/tcp.c"), "utf8").replace("kTaskInterval (20)", "kTaskInterval (1)"));
	const hasTls = readFileSync(linked, "utf8").includes("xs_ec2_");
	const natives = [tcp, ...[...NATIVES, ...(hasTls ? TLS_NATIVES : [])].map((source) => join(sdk.moddable, source))];
	const program = join(app, "chip");
	const sources = [linked, join(root, "scripts", "memory", "chip.c"), ...natives];
	run("gcc", [`-I${build}`, ...engine, ...sources, "-Wl,--unresolved-symbols=ignore-all", "-lm", "-o", program]);
	return program;
}

/** The imports of an app that is written here, and whose modules are not of this room. @param {...string} clauses */
export function imports(...clauses) {
	return clauses.map((clause) => `import ${clause};\n`).join("");
}
