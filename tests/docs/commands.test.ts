// Every command that a document shows is run by a test, or marked as run by hand, or as not run here with the reason.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";

const documents = [
	"README.md",
	"CONTRIBUTING.md",
	...readdirSync("docs")
		.filter((name) => name.endsWith(".md"))
		.map((name) => `docs/${name}`),
];
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

/** What runs each script of package.json, beside `.ci/run`. */
const RUN_BY: { readonly [script: string]: string } = {
	start: "tests/hub/start.test.ts",
	device: "tests/hub/device.slow.test.ts",
	backend: "tests/hub/programs.slow.test.ts",
	gateway: "tests/hub/programs.slow.test.ts",
	build: "tests/scripts/build.slow.test.ts",
	flash: "tests/scripts/build.slow.test.ts",
	sim: "tests/simulator/simulator-app.test.ts",
	keys: "tests/scripts/sign.slow.test.ts",
	sign: "tests/scripts/sign.slow.test.ts",
	footprint: "tests/scripts/footprint.test.ts",
	"new:board": "tests/boards/new-board.slow.test.ts",
	"new:tool": "tests/boards/new-board.slow.test.ts",
	"docs:boards": "tests/run-guides.mjs",
	"check:board": "tests/boards/new-board.slow.test.ts",
	check: ".ci/run",
};
const ci = readFileSync(".ci/run", "utf8");

/** Does the test that is said to run a script name its file, or CI the script? */
function isRun(script: string): boolean {
	const by = RUN_BY[script];
	if (by === undefined) return ci.includes(`npm ${script}`) || ci.includes(`npm run ${script}`);
	const file = scripts[script]?.split(" ").find((word) => /\.m?ts$|\.mjs$/.test(word));
	const text = readFileSync(by, "utf8");
	return file === undefined || text.includes(file) || by === "tests/run-guides.mjs";
}

interface Block {
	/** The comment before it. */
	mark: string | undefined;
	lines: string[];
}

function shellBlocks(text: string): Block[] {
	return [...text.matchAll(/(?:^<!-- ([^\n]+) -->\n)?^```sh\n(.*?)^```$/gms)].map(([, mark, code = ""]) => ({
		mark,
		lines: code.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#")),
	}));
}

describe.each(documents)("%s", (document) => {
	const blocks = shellBlocks(readFileSync(document, "utf8"));

	test("has no command that is neither run nor marked", () => {
		for (const { mark, lines } of blocks) {
			if (/^(not run here|run by hand): /.test(mark ?? "")) continue;
			for (const line of lines) {
				const [, script] = /\bnpm (?:--\S+ (?:\S+ )?)*(?:run (?:--silent )?)?([\w:]+)/.exec(line) ?? [];
				if (script === "install") continue;
				expect([line, script && Object.hasOwn(scripts, script)]).toEqual([line, true]);
				expect([line, isRun(script as string)]).toEqual([line, true]);
			}
		}
	});
});
