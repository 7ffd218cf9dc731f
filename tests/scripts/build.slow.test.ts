// What `npm run build` and `npm run flash` say when something is missing or wrong, and the line that they would run.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { runScriptFile } from "../support/script.js";

const folder = mkdtempSync(join(tmpdir(), "moddable-mcp-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As much of an SDK as the scripts look at before they start it. */
const sdk = join(folder, "sdk");
for (const path of ["examples", "build/bin/lin/release", "build/bin/mac/release", "build/bin/win/release", "build/devices/esp32/targets/esp32s3"])
	mkdirSync(join(sdk, path), { recursive: true });
writeFileSync(join(sdk, "examples/manifest_base.json"), "{}");
for (const path of ["lin/release/mcconfig", "mac/release/mcconfig", "win/release/mcconfig.exe"]) writeFileSync(join(sdk, "build/bin", path), "");

/** A copy of a board beside the project, with changes to its manifest. */
function createBoard(name: string, change: (manifest: string) => string = (manifest) => manifest): string {
	const path = join(folder, name);
	cpSync("boards/bread_compact", path, { recursive: true });
	const file = join(path, "manifest.json");
	writeFileSync(file, change(readFileSync(file, "utf8")));
	return path;
}
createBoard("my_board");
createBoard("wrong_target", (manifest) => manifest.replace("esp32/esp32s3", "esp32/esp32s9"));
createBoard("wrong_platform", (manifest) => manifest.replace("esp32/esp32s3", "arduino/uno"));
createBoard("no_target", (manifest) => manifest.replace("MCP_TARGET", "TARGET"));
createBoard("no_json", () => "{");
rmSync(join(createBoard("no_list"), "tools/index.ts"));
createBoard("My-Board");
writeFileSync(join(folder, "file.txt"), "");

const build = (...args: string[]) => runScriptFile("scripts/build.ts", args, { MODDABLE: sdk, INIT_CWD: folder });

test.each([
	[[], /^Which board\? The boards are: .*bread_compact.* \(--help shows the usage\)/],
	[["nosuch"], /^There is no board "nosuch": neither boards\/nosuch nor a folder of that path\. The boards are: .* To make one: npm run new:board/],
	[["./nosuch"], /^There is no board ".\/nosuch"/],
	[["./file.txt"], /^\.\/file\.txt is a file; a board is a folder with manifest\.json, board\.ts, tools\/index\.ts/],
	[["./no_list"], /^The board .*no_list is not complete: tools\/index\.ts missing\. docs\/adding-a-board\.md says/],
	[["./no_json"], /no_json\/manifest\.json is not JSON: /],
	[["./no_target"], /no_target\/manifest\.json does not name the Moddable target: add "build"/],
	[
		["./wrong_target"],
		/does not have the target "esp32\/esp32s9"\. build\.MCP_TARGET in the manifest\.json of wrong_target .*there are: esp32\/esp32s3\./,
	],
	[["./wrong_platform"], /does not have the platform "arduino"/],
	[["./My-Board"], /^"My-Board" cannot be a board's name: rename the folder to at most 32 lower-case letters/],
	[["bread_compact", "./my_board"], /^Two boards were given/],
])("build %j is refused", (args, reason) => {
	const { code, stdout, stderr } = build(...args);
	expect([code, stdout]).toEqual([stderr.includes("(--help shows the usage)") ? 2 : 1, ""]);
	expect(stderr).toMatch(reason);
});

test("shows the line for a board beside the project, without its secrets, where ESP-IDF is missing", () => {
	const { code, stderr } = build("./my_board", "ssid=home", "password=secret");
	expect(code).toBe(1);
	expect(stderr).toContain(
		`BOARD=my_board BOARD_DIR=${join(folder, "my_board")} mcconfig -m -p esp32/esp32s3 -t build -o build/my_board manifest.json ssid=home password=...`,
	);
});

test("a board of the project is found from any folder", () => {
	expect(build("bread_compact").stderr).toContain("BOARD=bread_compact mcconfig -m -p esp32/esp32s3");
});

test("says that the SDK is missing, and that a simulated board is not flashed", () => {
	expect(runScriptFile("scripts/build.ts", ["bread_compact"]).stderr).toMatch(/^The Moddable SDK is missing/);
	expect(runScriptFile("scripts/flash.ts", ["simulator"]).stderr).toMatch(/^The board simulator is simulated; there is nothing to flash/);
});
