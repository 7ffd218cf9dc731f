// A build is a success only with a new image that fits: the SDK's makefile goes on when ESP-IDF fails, and copies what is there.

import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeEach, expect, test } from "@jest/globals";
import { smallestSlot } from "../../cli/firmware.js";
import { runScriptFile } from "../support/script.js";

const folder = mkdtempSync(join(tmpdir(), "moddable-mcp-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sdk = join(folder, "sdk");
const bin = join(sdk, "build/bin/lin/release");
for (const path of [bin, join(sdk, "examples"), join(sdk, "build/devices/esp32/targets/esp32s3")]) mkdirSync(path, { recursive: true });
writeFileSync(join(sdk, "examples/manifest_base.json"), "{}");
const program = (path: string, text: string) => {
	writeFileSync(path, `#!/bin/sh\n${text}`);
	chmodSync(path, 0o755);
};
program(join(folder, "idf.py"), "exit 0\n");
/** Does with the image what the SDK's makefile does: `-idf.py build; -cp image`. Only a build for debugging takes the modules as they are. */
program(
	join(bin, "mcconfig"),
	`set -u
while [ $# -gt 0 ]; do case "$1" in -o) output="$2";; esac; shift; done
project="$output/tmp/esp32/esp32s3/debug/mcp/xsProj-esp32s3"
target="$output/bin/esp32/esp32s3/debug/mcp"
mkdir -p "$project/build" "$target"
printf 'nvs, data, nvs, 0x9000, 0x6000,\\nota_0, app, ota_0, 0x10000, 0x1000,\\nota_1, app, ota_1, , 2K,\\n' > "$project/partitions.csv"
if [ -n "$IMAGE_BYTES" ] && ! [ -e "$project/build/.bin_timestamp" ]; then
	head -c "$IMAGE_BYTES" /dev/zero > "$project/build/xs_esp32.bin"
	: > "$project/build/.bin_timestamp"
else
	echo "FAILED: idf.py" >&2
fi
cp "$project/build/xs_esp32.bin" "$target" 2>/dev/null
printf 'MODULES =\\\\\n\\t$(MODULES_DIR)/sdk/timer.xsb\\\\\n\\t$(MODULES_DIR)/%s.xsb\\n' "\${TIMER:-timer}" > "$project/../makefile"
exit 0
`,
);

const board = join(folder, "fresh_image_board");
cpSync("boards/bread_compact", board, { recursive: true });
beforeEach(() => rmSync("build/fresh_image_board", { recursive: true, force: true }));
afterAll(() => rmSync("build/fresh_image_board", { recursive: true, force: true }));

const run = (script: string, bytes: string, variables = {}) =>
	runScriptFile(script, [board, "--debug"], {
		MODDABLE: sdk,
		IDF_PATH: folder,
		PATH: `${folder}${delimiter}${process.env.PATH}`,
		IMAGE_BYTES: bytes,
		...variables,
	});

const ifLinux = process.platform === "linux" ? test : test.skip;

ifLinux("a build that fails after one that did not is a failure: the image of the first is gone", () => {
	const first = run("scripts/build.ts", "1500");
	expect([first.stderr, first.code]).toEqual(["", 0]);
	expect(first.stdout).toContain("The image takes 1,500 of the 2,048 bytes of the partition ota_1.\nBuilt: build/fresh_image_board/bin/");
	// The same again: ESP-IDF makes no image while the last one's stamp is there.
	expect(run("scripts/build.ts", "1500").code).toBe(0);
	for (const script of ["scripts/build.ts", "scripts/flash.ts"]) {
		const second = run(script, "");
		expect(second.code).toBe(1);
		expect(second.stderr).toContain("The build made no xs_esp32.bin; the reason stands above.");
	}
});

ifLinux("an image that is larger than a slot is a failure, with the numbers", () => {
	const { code, stderr } = run("scripts/build.ts", "3000");
	expect(code).toBe(1);
	expect(stderr).toContain("The app partition is too small: the image has 3,000 bytes, the partition ota_1 2,048; 952 too many.");
});

ifLinux("a module that the SDK does not have under its name is a failure: mcconfig does not mind", () => {
	const { code, stderr } = run("scripts/build.ts", "1500", { TIMER: "moved/timer" });
	expect(code).toBe(1);
	expect(stderr).toContain("does not have these modules, or has them elsewhere:\n  timer, which src/sdk/timer.ts imports");
});

test("sizes in a partition table are hexadecimal, decimal, or in K and M", () => {
	expect(smallestSlot("# app, app, x, , 1K\na, app, ota_0, , 1M,\nb, app, ota_1, , 0x0F0000\nc, data, ota, , 8192")).toEqual({
		name: "b",
		size: 0xf0000,
	});
	expect(smallestSlot("a, app, factory, 0x10000, 0x3F0000,\nb, app, test, , 2048")).toEqual({ name: "b", size: 2048 });
	expect(smallestSlot("nvs, data, nvs, , 4K")).toBeUndefined();
});
