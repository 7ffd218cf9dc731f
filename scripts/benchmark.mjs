// `npm run benchmark`: what a message costs, in instructions of the XS worker counted by valgrind, against the figures that were accepted.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";
import { root } from "../cli/boards.js";
import { findSdk } from "../cli/moddable.js";
import { Problem, runProgram } from "../cli/program.js";
import { findWorker, whyNoWorker } from "../simulator/xs-worker.mjs";
import { buildProgram, compileEngine, imports } from "./chip-program.mjs";
import { measureRoundTrips } from "./round-trips.mjs";

const USAGE = `Usage: npm run benchmark [-- --check | --accept]

Counts the instructions that a message costs (XS worker under valgrind, many rounds minus none) and writes docs/performance.md.
With the Moddable SDK ($MODDABLE) it also counts them on the SDK's XS, linked as for a chip.
  --check   compares with scripts/benchmark.json instead, and fails where a figure is over 5 % higher
  --accept  writes the figures into scripts/benchmark.json, on purpose`;

const ACCEPTED = join(root, "scripts", "benchmark.json");
const TOOL_COUNTS = [10, 30, 100];
const MOST_TOOLS = 300;
const OPERATIONS = ["initialize", "list", "call", "envelope call", "bad argument", "unknown tool"];
/** So few that the worker need not collect garbage: its tools are in the heap, those of a device in flash. */
const ROUNDS = 50;
/** On the machine of a chip, so many that collections count as they do there. */
const CHIP_ROUNDS = 1000;
const CHIP_TOOLS = 30;
/** The machine begins with about as much as the whole firmware leaves free (docs/memory.md), and grows as on a device. */
const CHIP_CREATION = "14328,1024,312,128";
const TOLERANCE = 1.05;
/** 300 tools against 10. */
const MAX_GROWTH = 1.1;

/**
 * What the C++ reference takes for each message, in instructions, and how many times that it may cost here. With the firmware of
 * docs/performance.md's first comparison both were measured on one machine; its instructions in this benchmark, divided by the
 * multiples of then, are the reference's. A call is taken from the floor, which was 0.97 of it.
 * @type {{ [operation: string]: [instructions: number, bar: number] }}
 */
const REFERENCE = {
	initialize: [10_474, 9],
	list: [1_048_427, 0.17],
	call: [25_583, 5.5],
	"envelope call": [25_583, 6],
	"bad argument": [22_060, 4.5],
	"unknown tool": [10_345, 7],
};
/** The best of so many runs: the machine does other things as well. */
const RUNS = 3;

/** @typedef {{ [figure: string]: number }} Figures */

await runProgram(USAGE, async () => {
	const option = process.argv[2];
	const worker = findWorker();
	if (!worker) throw new Problem(`The benchmark needs the XS engine: ${whyNoWorker()}`);
	if (spawnSync("valgrind", ["--version"]).error) {
		console.log("NOT RUN: the benchmark, because valgrind is not there (Debian and Ubuntu: apt install valgrind).");
		return 0;
	}
	const source = await bundle();
	/** @type {Figures} */
	const figures = { floor: await cost(worker, source, 10, "floor") };
	for (const tools of TOOL_COUNTS)
		for (const operation of OPERATIONS) figures[`${operation}, ${tools} tools`] = await cost(worker, source, tools, operation);
	figures[`call, ${MOST_TOOLS} tools`] = await cost(worker, source, MOST_TOOLS, "call");
	for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value}`);
	const growth = /** @type {number} */ (figures[`call, ${MOST_TOOLS} tools`]) / /** @type {number} */ (figures["call, 10 tools"]);
	if (growth > MAX_GROWTH)
		throw new Problem(`A call costs ${growth.toFixed(2)} times as much with ${MOST_TOOLS} tools as with 10; at most ${MAX_GROWTH} is right.`);
	if (option === "--check") return compare(figures);
	if (option === "--accept") writeFileSync(ACCEPTED, `${JSON.stringify(figures, undefined, "\t")}\n`);
	writeDocument(figures, await bestRoundTrips());
	if (process.env.MODDABLE) writeChipFigures(await measureOnChip());
	else console.log("NOT RUN: the figures as on a chip, because $MODDABLE is not set; docs/performance.md keeps those of before.");
	return 0;
});

/** @typedef {import("./round-trips.mjs").RoundTrips} RoundTrips */

/** Both in turn, so that what else the machine does meets both. @returns {Promise<{ echo: RoundTrips, firmware: RoundTrips }>} */
async function bestRoundTrips() {
	const best = {
		echo: { latencyMs: Number.POSITIVE_INFINITY, perSecond: 0 },
		firmware: { latencyMs: Number.POSITIVE_INFINITY, perSecond: 0 },
	};
	for (let i = 0; i < RUNS; i++)
		for (const what of /** @type {const} */ (["echo", "firmware"])) {
			const { latencyMs, perSecond } = await measureRoundTrips(what);
			best[what] = { latencyMs: Math.min(best[what].latencyMs, latencyMs), perSecond: Math.max(best[what].perSecond, perSecond) };
		}
	return best;
}

/** @param {Figures} figures @returns {number} an exit code */
function compare(figures) {
	const accepted = /** @type {Figures} */ (JSON.parse(readFileSync(ACCEPTED, "utf8")));
	const worse = Object.entries(accepted).filter(([name, value]) => !((figures[name] ?? Number.NaN) <= value * TOLERANCE));
	for (const [name, value] of worse) console.log(`${name} costs ${figures[name]} instructions; ${value} are accepted.`);
	if (worse.length > 0) console.log("If that is on purpose, accept it with `npm run benchmark -- --accept`, and say why in the commit.");
	return worse.length > 0 ? 1 : 0;
}

/** What a message costs on the machine of a chip, its collections of garbage included. @returns {Promise<Figures>} */
async function measureOnChip() {
	const sdk = findSdk();
	const app = join(root, "build", "benchmark");
	rmSync(app, { recursive: true, force: true });
	mkdirSync(app, { recursive: true });
	const here = (/** @type {string} */ path) => relative(app, join(root, path));
	const manifest = {
		// The second has the C half of the listener, which the program's sockets name.
		include: [here("src/core.manifest.json"), here("src/features/http.manifest.json")],
		modules: { main: "./main", "features/*": here("src/features/absent/*"), "benchmark/bench": "./bench", "benchmark/tools": "./tools" },
		preload: ["benchmark/bench", "benchmark/tools"],
	};
	writeFileSync(join(app, "manifest.json"), JSON.stringify(manifest, undefined, "\t"));
	// There the modules of src have other names.
	const bench = readFileSync(join(root, "tests", "benchmark", "bench.ts"), "utf8");
	writeFileSync(join(app, "bench.ts"), bench.replaceAll(/"..\/..\/src\/(.+)\.js"/g, '"$1"'));
	writeFileSync(join(app, "tools.ts"), `${imports('{ makeTools } from "benchmark/bench"')}export default makeTools(${CHIP_TOOLS});\n`);
	writeFileSync(
		join(app, "main.ts"),
		`${imports('{ bench } from "benchmark/bench"', 'tools from "benchmark/tools"', 'Preference from "preference"')}
const setting = (name: string) => String(Preference.get("benchmark", name));
bench(tools, setting("operation"), Number(setting("rounds")));
trace("measured\\n");
`,
	);
	const program = await buildProgram(sdk, compileEngine(sdk), app);
	/** @type {Figures} */
	const figures = {};
	for (const operation of ["floor", ...OPERATIONS]) {
		const run = (/** @type {number} */ rounds) => countInstructions([program, CHIP_CREATION, `operation=${operation}`, `rounds=${rounds}`]);
		const [none, many] = await Promise.all([run(0), run(CHIP_ROUNDS)]);
		figures[operation] = Math.round((many - none) / CHIP_ROUNDS);
		console.log(`${operation}, as on a chip: ${figures[operation]}`);
	}
	return figures;
}

/** Runs a program to its end. @param {string[]} command @returns {Promise<number>} */
function countInstructions(command) {
	return new Promise((resolve, reject) => {
		const child = spawn("valgrind", ["--tool=callgrind", "--callgrind-out-file=/dev/null", ...command], { stdio: ["ignore", "pipe", "pipe"] });
		let log = "";
		for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => (log += text));
		child.on("error", reject);
		child.on("close", () => {
			const collected = log.match(/Collected *: *(\d+)/)?.[1];
			if (collected && log.includes("measured")) resolve(Number(collected));
			else reject(new Problem(`The benchmark failed: ${log.slice(-800)}`));
		});
	});
}

/** @param {Figures} figures */
function writeChipFigures(figures) {
	const floor = /** @type {number} */ (figures.floor);
	const rows = Object.entries(figures).map(
		([operation, value]) => `| ${operation} | ${value.toLocaleString("en")} | ${(value / floor).toFixed(1)} |`,
	);
	const path = join(root, "docs", "performance.md");
	const table = ["| message, 30 tools | instructions | of the floor |", "|---|---|---|", ...rows].join("\n");
	writeFileSync(path, readFileSync(path, "utf8").replace(/<!-- chip -->[\s\S]*<!-- chip end -->/, `<!-- chip -->\n${table}\n<!-- chip end -->`));
}

/** The firmware's core and sessions with tools and a peer, as one script. @returns {Promise<string>} */
async function bundle() {
	const result = await build({
		entryPoints: [join(root, "tests", "benchmark", "entry.ts")],
		bundle: true,
		write: false,
		format: "iife",
		target: "es2022",
		logLevel: "error",
		alias: Object.fromEntries(["timer", "text/decoder"].map((name) => [name, join(root, "simulator", "runtime", `${name.replace("/", "-")}.ts`)])),
		plugins: [
			{
				name: "no settings",
				setup(esbuild) {
					esbuild.onResolve({ filter: /^mc\/config$/ }, ({ path }) => ({ path, namespace: "settings" }));
					esbuild.onLoad({ filter: /./, namespace: "settings" }, () => ({ contents: "export default {};" }));
				},
			},
		],
		tsconfigRaw: {},
	});
	return result.outputFiles[0]?.text ?? "";
}

/** Instructions for one message. @param {string} worker @param {string} source @param {number} tools @param {string} operation */
async function cost(worker, source, tools, operation) {
	const run = (/** @type {number} */ rounds) => count(worker, [source, `bench(${tools}, ${JSON.stringify(operation)}, ${rounds})`]);
	const [none, many] = await Promise.all([run(0), run(ROUNDS)]);
	return Math.round((many - none) / ROUNDS);
}

/** Runs scripts in a worker and counts its instructions. @param {string} worker @param {string[]} scripts @returns {Promise<number>} */
function count(worker, scripts) {
	return new Promise((resolve, reject) => {
		const child = spawn("valgrind", ["--tool=callgrind", "--callgrind-out-file=/dev/null", worker], {
			stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
		});
		let log = "";
		let answers = "";
		child.stderr?.setEncoding("utf8").on("data", (/** @type {string} */ text) => (log += text));
		child.on("error", reject);
		child.on("close", () => {
			const collected = log.match(/Collected *: *(\d+)/)?.[1];
			if (collected && !answers.includes(":!")) resolve(Number(collected));
			else reject(new Problem(`The benchmark failed: ${answers.slice(-200)} ${log.slice(-500)}`));
		});
		const [, , , toWorker, fromWorker] = child.stdio;
		/** @type {import("node:stream").Readable} */ (fromWorker).setEncoding("utf8").on("data", (text) => (answers += text));
		const stream = /** @type {import("node:stream").Writable} */ (toWorker);
		for (const script of scripts) {
			const bytes = Buffer.from(`e${script}`);
			stream.write(`${bytes.length}:`);
			stream.write(bytes);
			stream.write(",");
		}
		stream.end();
	});
}

/**
 * @param {Figures} figures
 * @param {{ [what in "echo" | "firmware"]: RoundTrips }} trips
 */
function writeDocument(figures, trips) {
	const floor = /** @type {number} */ (figures.floor);
	const rows = OPERATIONS.map((operation) => {
		const cells = TOOL_COUNTS.map((tools) => /** @type {number} */ (figures[`${operation}, ${tools} tools`]));
		return `| ${operation} | ${cells.map((value) => `${value.toLocaleString("en")} (${(value / floor).toFixed(1)})`).join(" | ")} |`;
	});
	const path = join(root, "docs", "performance.md");
	const [head, tail] = [readFileSync(path, "utf8").split("<!-- table -->\n")[0], readFileSync(path, "utf8").split("<!-- end -->\n")[1]];
	const table = [
		"| message | 10 tools | 30 tools | 100 tools |",
		"|---|---|---|---|",
		...rows,
		"",
		`The floor is ${floor.toLocaleString("en")} instructions; a call with ${MOST_TOOLS} tools costs ${/** @type {number} */ (figures[`call, ${MOST_TOOLS} tools`]).toLocaleString("en")}.`,
		"",
		"| message, 30 tools | of the C++ reference | bar |",
		"|---|---|---|",
		...OPERATIONS.map((operation) => {
			const [instructions, bar] = /** @type {[number, number]} */ (REFERENCE[operation]);
			return `| ${operation} | ${(/** @type {number} */ (figures[`${operation}, 30 tools`]) / instructions).toFixed(2)} | ${bar} |`;
		}),
		"",
		"| over a WebSocket, in the worker | one call in flight | eight in flight |",
		"|---|---|---|",
		...Object.entries(trips).map(
			([what, { latencyMs, perSecond }]) => `| ${what} | ${latencyMs.toFixed(2)} ms | ${Math.round(perSecond)} a second |`,
		),
	].join("\n");
	writeFileSync(path, `${head}<!-- table -->\n${table}\n<!-- end -->\n${tail}`);
	writeFileSync(join(root, "docs", "performance.svg"), plot(figures));
}

/** Bars of what each message costs in multiples of the floor. @param {Figures} figures @returns {string} */
function plot(figures) {
	const floor = /** @type {number} */ (figures.floor);
	const bars = OPERATIONS.map((operation) => ({ operation, ratio: /** @type {number} */ (figures[`${operation}, 30 tools`]) / floor }));
	const widest = Math.max(...bars.map(({ ratio }) => ratio));
	const lines = bars.map(({ operation, ratio }, i) => {
		const y = 40 + i * 28;
		const width = Math.round((ratio / widest) * 380);
		return `<text x="120" y="${y + 14}" text-anchor="end">${operation}</text><rect x="130" y="${y}" width="${width}" height="18" fill="#3b6ea5"/><text x="${136 + width}" y="${y + 14}">${ratio.toFixed(1)}</text>`;
	});
	const height = 50 + bars.length * 28;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 570 ${height}" font-family="sans-serif" font-size="13"><title>Instructions per message</title><rect width="570" height="${height}" fill="#fff"/><text x="10" y="22">Instructions per message, in multiples of the floor; 30 tools</text>${lines.join("")}</svg>\n`;
}
