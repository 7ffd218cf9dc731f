// The XS engine as a program: where its binary is, and how to get it from the registry and build it.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The package that carries the source of XS and of its worker, and the hash of the archive that was tried. */
const PACKAGE = "@agoric/xsnap";
const VERSION = "0.15.0";
const INTEGRITY = "sha512-ZBm4DZxbtfacxMHVVdJjZi0Y8zOxN77vpu1WwI5RWfPkaRh0aHkz/dVdTGKXalDNzWfz183lljKxlxl3/h0n+A==";
const BUILD_TIMEOUT_MS = 10 * 60_000;

const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(root, "node_modules", ".cache");
const home = join(cache, `xs-worker-${VERSION}`);
const platform = { linux: "lin", darwin: "mac" }[/** @type {string} */ (process.platform)];

/** Says in one sentence why the worker could not be made. */
export class WorkerProblem extends Error {}

/**
 * Where the worker's binary is.
 * The environment variable MODDABLE_MCP_XSNAP_WORKER names another binary than the one that `npm install` builds.
 * @returns {string | undefined} its path, or undefined when there is none
 */
export function findWorker() {
	const chosen = process.env.MODDABLE_MCP_XSNAP_WORKER;
	if (chosen) return existsSync(chosen) ? chosen : undefined;
	if (!platform) return undefined;
	const path = binary(home);
	return existsSync(path) ? path : undefined;
}

/** Why there is no worker, for the person at the keyboard. @returns {string | undefined} undefined when there is one */
export function whyNoWorker() {
	const chosen = process.env.MODDABLE_MCP_XSNAP_WORKER;
	if (findWorker()) return undefined;
	return chosen
		? `MODDABLE_MCP_XSNAP_WORKER names ${chosen}, which is not there`
		: "the XS engine is not built; `npm run worker` builds it, or says what is missing";
}

/**
 * Gets the sources through npm and builds the worker, unless it is there already. Takes about 15 seconds.
 * @returns {Promise<string>} the path of the binary
 * @throws {WorkerProblem} when it cannot be had on this machine
 */
export async function buildWorker() {
	const found = findWorker();
	if (found) return found;
	if (process.env.MODDABLE_MCP_XSNAP_WORKER)
		throw new WorkerProblem(`MODDABLE_MCP_XSNAP_WORKER names ${process.env.MODDABLE_MCP_XSNAP_WORKER}, and there is no such file`);
	if (!platform) throw new WorkerProblem(`the package ${PACKAGE} can be built on Linux and macOS only`);
	for (const tool of ["make", "cc"])
		if (spawnSync(tool, ["--version"], { stdio: "ignore" }).error)
			throw new WorkerProblem(
				`it has to be compiled, and there is no \`${tool}\` (Debian and Ubuntu: apt install build-essential; macOS: xcode-select --install)`,
			);
	mkdirSync(cache, { recursive: true });
	const work = mkdtempSync(join(cache, "xs-worker-"));
	try {
		await unpack(work);
		await compile(work);
		rmSync(home, { recursive: true, force: true });
		renameSync(work, home);
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
	return binary(home);
}

/** @param {string} folder */
function binary(folder) {
	return join(folder, "package", "xsnap-native", "xsnap", "build", "bin", /** @type {string} */ (platform), "release", "xsnap-worker");
}

/** @param {string} work */
async function unpack(work) {
	const arguments_ = ["pack", `${PACKAGE}@${VERSION}`, "--pack-destination", work, "--ignore-scripts", "--loglevel", "error"];
	const npm = process.env.npm_execpath;
	const result = npm?.endsWith("npm-cli.js") ? await run(process.execPath, [npm, ...arguments_], root) : await run("npm", arguments_, root);
	const archive = readdirSync(work).find((name) => name.endsWith(".tgz"));
	if (result.code !== 0 || !archive) throw new WorkerProblem(fetchProblem(result.output));
	const hash = `sha512-${createHash("sha512")
		.update(readFileSync(join(work, archive)))
		.digest("base64")}`;
	if (hash !== INTEGRITY) throw new WorkerProblem(`the archive of ${PACKAGE}@${VERSION} is not the expected one: its hash is ${hash}`);
	const tar = await run("tar", ["-xzf", archive], work);
	if (tar.code !== 0) throw new WorkerProblem(`tar could not unpack ${archive}:\n${lastLines(tar.output)}`);
	rmSync(join(work, archive));
}

/**
 * Why npm could not fetch the package, the cause first.
 * @param {string} output of npm
 * @returns {string}
 */
export function fetchProblem(output) {
	const code = /\b(ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTCACHED)\b/.exec(output)?.[1];
	const cause = code ? `the npm registry cannot be reached (${code}); is there a network?` : "npm says:";
	return `${PACKAGE}@${VERSION} could not be fetched: ${cause}\n${lastLines(output)}`;
}

/** @param {string} work */
async function compile(work) {
	const source = join(work, "package");
	// A space in a path breaks make's rules, so make is given relative paths only.
	const folders = ["MODDABLE=../../../../moddable", "BUILD_DIR=../../build", "TLS_DIR=../../sources"];
	const makefiles = join(source, "xsnap-native", "xsnap", "makefiles", /** @type {string} */ (platform));
	const result = await run(
		"make",
		["-j2", "-f", "xsnap-worker.mk", ...folders, "GOAL=release", `XSNAP_VERSION=${VERSION}`, "EXTRA_DEPS=", 'CC=cc "-D__has_builtin(x)=1"'],
		makefiles,
	);
	if (result.code !== 0 || !existsSync(binary(work))) throw new WorkerProblem(`the C compiler failed:\n${lastLines(result.output)}`);
}

/**
 * @param {string} command
 * @param {string[]} arguments_
 * @param {string} cwd
 * @returns {Promise<{ code: number, output: string }>}
 */
function run(command, arguments_, cwd) {
	return new Promise((resolve) => {
		const { MAKEFLAGS, MAKELEVEL, CC, ...env } = process.env;
		const child = spawn(command, arguments_, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: BUILD_TIMEOUT_MS });
		let output = "";
		const add = (/** @type {Buffer} */ data) => {
			output = (output + data).slice(-16384);
		};
		child.stdout.on("data", add);
		child.stderr.on("data", add);
		child.on("error", (error) => resolve({ code: 1, output: error.message }));
		child.on("close", (code, signal) => resolve({ code: code ?? 1, output: signal ? `${output}\nstopped by ${signal}` : output }));
	});
}

/** @param {string} output */
function lastLines(output) {
	return output.trim().split("\n").slice(-8).join("\n").replaceAll(homedir(), "~");
}
