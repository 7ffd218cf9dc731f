// `npm run test:conformance`: the official conformance suite against the device's own MCP over HTTP, on XS, and against the gateway.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../cli/boards.js";
import { Problem, parseOptions, runProgram, UsageError } from "../cli/program.js";

/** The newest of its line; it needs Node 22, and so does this list of packages. */
const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const NODE = `node-${process.platform}-${process.arch}@22.23.3`;
const FOLDER = join(root, "node_modules", ".cache", "conformance");
const PAGE = join(root, "docs", "conformance.md");

const TARGETS = ["device", "gateway"] as const;
const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
/** A busy machine is no failure. */
const LIMIT_MS = 240_000;

const USAGE = `Usage: npm run test:conformance -- [--target device|gateway] [--revision 2025-11-25|2026-07-28] [--write]

Runs ${SUITE} on Node 22, both from the registry, against both targets with both
requirement sets. It fails when something fails that is not in the target's list of expected failures
(tests/conformance/TARGET-expected-failures.yml), and when something passes that is in it.

  --target T    one of them only
  --revision R  one of them only
  --verbose     what the suite prints
  --write       renews the tables of docs/conformance.md
`;

/** One scenario: how many of its checks passed and failed, and what the list says. */
interface Scenario {
	name: string;
	passed: number;
	failed: number;
	expected: boolean;
}

await runProgram(USAGE, async (args) => {
	const values = parseOptions(args, {
		target: { type: "string" },
		revision: { type: "string" },
		verbose: { type: "boolean", default: false },
		write: { type: "boolean", default: false },
	});
	const targets = TARGETS.filter((name) => values.target === undefined || name === values.target);
	const revisions = REVISIONS.filter((name) => values.revision === undefined || name === values.revision);
	if (targets.length === 0) throw new UsageError(`--target must be device or gateway, got "${values.target}"`);
	if (revisions.length === 0) throw new UsageError(`--revision must be 2025-11-25 or 2026-07-28, got "${values.revision}"`);
	const suite = installSuite();
	const results = new Map<string, Scenario[]>();
	let ok = true;
	for (const target of targets)
		for (const revision of revisions) {
			const scenarios = await run(suite, target, revision, values.verbose);
			// The device has three places, and on a busy machine the connections of one scenario may still hold them in the next:
			// what fails once more by itself, with a device of its own, fails.
			for (const [index, { name, failed, expected }] of scenarios.entries()) {
				if (failed === 0 || expected) continue;
				console.log(`${target}, ${revision}: ${name} failed, and runs once more by itself`);
				const again = await run(suite, target, revision, values.verbose, name);
				scenarios[index] = again.find((scenario) => scenario.name === name) ?? (scenarios[index] as Scenario);
			}
			results.set(`${target} ${revision}`, scenarios);
			console.log(`${target}, ${revision}: ${summary(scenarios)}`);
			for (const { name, passed, failed, expected } of scenarios) {
				if (failed > 0 === expected) continue;
				ok = false;
				console.log(
					failed > 0 ? `  ✗ ${name}: ${passed} checks passed, ${failed} failed` : `  ! ${name} passes, and is in the list of expected failures`,
				);
			}
			if (scenarios.length === 0) ok = false;
		}
	if (values.write) writePage(results);
	return ok ? 0 : 1;
});

/** @returns the suite's program and the Node that runs it */
function installSuite(): { node: string; program: string } {
	const node = join(FOLDER, "node_modules", NODE.slice(0, NODE.lastIndexOf("@")), "bin", "node");
	const program = join(FOLDER, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
	const wanted = JSON.stringify({ private: true, packages: [SUITE, NODE] });
	const stamp = join(FOLDER, "installed.json");
	if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted && existsSync(node) && existsSync(program)) return { node, program };
	mkdirSync(FOLDER, { recursive: true });
	writeFileSync(join(FOLDER, "package.json"), '{"private":true}\n');
	console.log(`Installing ${SUITE} and ${NODE} into node_modules/.cache/conformance`);
	const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--loglevel=error"];
	const { status } = spawnSync("npm", ["install", "--prefix", FOLDER, ...options, SUITE, NODE], { stdio: "inherit", timeout: LIMIT_MS });
	if (status !== 0 || !existsSync(node) || !existsSync(program)) throw new Problem("the suite could not be installed from the registry");
	writeFileSync(stamp, wanted);
	return { node, program };
}

/** Starts a target, and the suite against it. */
async function run(suite: { node: string; program: string }, target: string, revision: string, verbose: boolean, only?: string): Promise<Scenario[]> {
	const server = spawn(process.execPath, ["--import", "tsx", join(root, "tests", "conformance", `${target}-target.ts`)], {
		cwd: root,
		stdio: ["ignore", "pipe", verbose ? "inherit" : "ignore"],
	});
	try {
		const url = await firstLine(server.stdout);
		if (url === undefined) throw new Problem(`the ${target} did not start; --verbose says more`);
		const output = join(FOLDER, "results");
		const which = only === undefined ? ["--requirements", revision] : ["--scenario", only, "--spec-version", revision];
		const child = spawn(suite.node, [suite.program, "server", "--url", url, ...which, "--output-dir", output], {
			cwd: FOLDER,
			stdio: ["ignore", "pipe", "inherit"],
			timeout: LIMIT_MS,
		});
		const expected = expectedFailures(target);
		const scenarios: Scenario[] = [];
		const onlyOne = /^()Passed: (\d+)\/\d+, (\d+) failed/;
		for await (const line of createInterface({ input: child.stdout })) {
			if (verbose) console.log(line);
			const [, name, passed, failed] = /^\S+ ([\w-]+): (\d+) passed, (\d+) failed/.exec(line) ?? onlyOne.exec(line) ?? [];
			const title = name || only;
			if (passed !== undefined && title)
				scenarios.push({ name: title, passed: Number(passed), failed: Number(failed), expected: expected.includes(title) });
		}
		return scenarios;
	} finally {
		server.kill();
	}
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string | undefined> {
	for await (const line of createInterface({ input })) return line;
	return undefined;
}

/** The scenarios of a list, each of which has its reason above it. */
function expectedFailures(target: string): string[] {
	const text = readFileSync(join(root, "tests", "conformance", `${target}-expected-failures.yml`), "utf8");
	return [...text.matchAll(/^ {2}- (.+)$/gm)].map(([, name = ""]) => name);
}

function summary(scenarios: readonly Scenario[]): string {
	const checks = scenarios.reduce((sum, { passed }) => sum + passed, 0);
	const whole = scenarios.filter(({ failed }) => failed === 0).length;
	const expected = scenarios.filter(({ failed, expected }) => failed > 0 && expected).length;
	return `${whole} of ${scenarios.length} scenarios pass, ${expected} fail as expected; ${checks} checks pass`;
}

/** Puts the results between the page's marks. */
function writePage(results: ReadonlyMap<string, readonly Scenario[]>): void {
	let page = readFileSync(PAGE, "utf8");
	for (const revision of REVISIONS) {
		const [device = [], gateway = []] = TARGETS.map((target) => results.get(`${target} ${revision}`));
		const cell = (scenario: Scenario | undefined) =>
			scenario === undefined ? "–" : `${scenario.failed === 0 ? "✓" : "✗"} ${scenario.passed}/${scenario.passed + scenario.failed}`;
		const rows = device.map(({ name }, i) => `| \`${name}\` | ${cell(device[i])} | ${cell(gateway.find((other) => other.name === name))} |`);
		const table = ["| scenario | device | gateway |", "|---|---|---|", ...rows, `| **all** | ${summary(device)} | ${summary(gateway)} |`].join("\n");
		const [begin, end] = [`<!-- ${revision} -->`, `<!-- end of ${revision} -->`];
		const from = page.indexOf(begin) + begin.length;
		page = `${page.slice(0, from)}\n\n${table}\n\n${page.slice(page.indexOf(end))}`;
	}
	writeFileSync(PAGE, page);
}
