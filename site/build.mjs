// `npm run docs`: a static site, with search and both languages, from README, docs/, the boards' pages and the docstrings; and boards
// that run in its visitors' browsers.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { boardNames, root } from "../cli/boards.js";
import { Problem, parseOptions, runProgram } from "../cli/program.js";
import { buildLivePage } from "../hub/live-page.js";

const USAGE = `Usage: npm run docs -- [--serve]

Builds the site into build/site. It needs a network the first time, for the generator.

  --serve  shows it at http://127.0.0.1:4173 until Ctrl-C`;

const site = join(root, "site");
const pages = join(site, "pages");
/** The board that a visitor meets first. */
const FIRST_BOARD = "simulator";
/** What a reader uses of the sources. */
const API = [
	"src/mcp/server.ts",
	"src/mcp/tool.ts",
	"src/mcp/schema.ts",
	"src/mcp/content.ts",
	// Not device.ts: a link in its page would lead nowhere, because of a name that two of its members have.
	...readdirSync(join(root, "src/hardware"))
		.filter((name) => name !== "device.ts")
		.map((name) => `src/hardware/${name}`),
];

await runProgram(USAGE, async (args) => {
	const { serve } = parseOptions(args, { serve: { type: "boolean" } });
	if (!existsSync(join(site, "node_modules"))) run("npm", ["install", "--no-audit", "--no-fund"]);
	rmSync(pages, { recursive: true, force: true });
	const sources = findSources();
	for (const [source, page] of sources) writePage(source, page, sources);
	writeApi();
	mkdirSync(join(pages, "public"), { recursive: true });
	cpSync(join(root, "hub", "page", "icon.svg"), join(pages, "public", "icon.svg"));
	run(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "build"]);
	const others = boardNames().filter((name) => name !== FIRST_BOARD);
	await buildLivePage(join(root, "build", "site", "live"), [FIRST_BOARD, ...others]);
	console.log("The site is in build/site.");
	if (serve) run(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "preview"]);
	return 0;
});

/** @returns {Map<string, string>} the site's page for each document, both from their roots */
function findSources() {
	const sources = new Map();
	const names = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"];
	for (const folder of ["docs", "docs/adr"]) names.push(...readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));
	for (const name of readdirSync(join(root, "boards"))) names.push(`boards/${name}/README.md`);
	if (existsSync(join(root, "README.zh-CN.md"))) names.push("README.zh-CN.md");
	for (const name of names) {
		if (!name.endsWith(".md") || !existsSync(join(root, name))) continue;
		const chinese = name.endsWith(".zh-CN.md");
		const plain = name
			.replace(".zh-CN.md", ".md")
			.replace(/^README\.md$/, "index.md")
			.replace(/^(boards\/\w+)\/README\.md$/, "$1.md");
		sources.set(name, chinese ? `zh-CN/${plain}` : plain);
	}
	return sources;
}

/**
 * Copies a document and what it shows; links lead to pages, and what is no page stays as its name.
 * @param {string} source
 * @param {string} page
 * @param {Map<string, string>} sources
 */
function writePage(source, page, sources) {
	const text = readFileSync(join(root, source), "utf8").replace(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g, (whole, image, words, target) => {
		if (/^[a-z]+:|^#/.test(target)) return whole;
		const [path, anchor = ""] = target.split("#");
		const from = posix.normalize(posix.join(posix.dirname(source), path));
		if (image) {
			cpSync(join(root, from), join(pages, from));
			return `![${words}](${relative(page, from)})`;
		}
		const to = sources.get(from) ?? sources.get(posix.join(from, "README.md"));
		return to ? `[${words}](${relative(page, to)}${anchor && `#${anchor}`})` : words;
	});
	mkdirSync(dirname(join(pages, page)), { recursive: true });
	writeFileSync(join(pages, page), text);
}

/** @param {string} page @param {string} to */
function relative(page, to) {
	const way = posix.relative(posix.dirname(page), to);
	return way.startsWith(".") ? way : `./${way}`;
}

function writeApi() {
	run(process.execPath, [
		"node_modules/typedoc/bin/typedoc",
		...["--plugin", "typedoc-plugin-markdown", "--tsconfig", join(root, "tsconfig.json"), "--skipErrorChecking"],
		...["--readme", "none", "--disableSources", "--excludePrivate", "--excludeInternal", "--hideBreadcrumbs", "--hidePageHeader"],
		...["--outputFileStrategy", "modules", "--entryFileName", "index", "--name", "API", "--logLevel", "Error", "--out", join(pages, "api")],
		...API.map((file) => join(root, file)),
	]);
}

/** @param {string} command @param {string[]} arguments_ */
function run(command, arguments_) {
	const { status } = spawnSync(command, arguments_, { cwd: site, stdio: "inherit", shell: command === "npm" && process.platform === "win32" });
	if (status !== 0) throw new Problem(`${command} ${arguments_[0]} ended with ${status}.`);
}
