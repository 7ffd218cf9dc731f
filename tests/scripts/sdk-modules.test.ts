// A build fails where the SDK lacks a module that is imported: mcconfig says nothing about it.

import { expect, test } from "@jest/globals";
import { linkedModules, missingModules } from "../../cli/sdk-modules.js";

const SDK = "src/sdk";
/** As mcconfig makes it. */
const makefileOf = (...names: string[]) =>
	`MODULES =\\\n${names.map((name) => `\t$(MODULES_DIR)/${name}.xsb`).join("\\\n")}\nPRELOADS =\\\n\t-p sdk/ecp.xsb\n\n$(MODULES_DIR)/other.xsb: other.js\n`;

test("knows what a build links, under the names that it is imported by", () => {
	expect([...linkedModules(makefileOf("sdk/tcp", "~.embedded/io/socket/tcp", "mc/config"))]).toEqual([
		"sdk/tcp",
		"embedded:io/socket/tcp",
		"mc/config",
	]);
});

test("names each module that is imported and not linked, and nothing that a board leaves out", () => {
	expect(missingModules(makefileOf("sdk/tcp", "~.embedded/io/socket/tcp", "sdk/timer", "timer", "sdk/config", "mc/config"), SDK)).toEqual([]);
	expect(missingModules(makefileOf("sdk/tcp", "sdk/timer", "sdk/config", "mc/config"), SDK)).toEqual([
		"embedded:io/socket/tcp, which src/sdk/tcp.ts imports",
		"timer, which src/sdk/timer.ts imports",
	]);
});
