// The bytecode of each module, as the link's C file has it.

import { expect, test } from "@jest/globals";
import { codeByModule } from "../../scripts/linked-code.mjs";

const slot = (index: number, next: string, kind: string, value: string, id = "0") =>
	`/* ${index} */\t{ ${next}, {.ID = ${id}, .flag = 0x8b, .kind = ${kind}}, .value = { ${value} } },`;

test("counts modules that run on the device, and the functions of those that ran at link time", () => {
	const source = [
		'\t{ NULL, NULL, 0, (txS1*)gxCode7, 1824, NULL, 0, "net/address", { 17, 2, 0, 0 } },',
		'\t{ NULL, NULL, 0, NULL, 0, NULL, 0, "mcp/server", { 17, 2, 0, 0 } },',
		slot(1, "(txSlot*)&gxHeap[2]", "XS_CODE_X_KIND", '.code = { (txByte*)"\\x0d\\x01a\\"\\n", NULL }'),
		slot(2, "NULL", "XS_HOME_KIND", ".home = { (txSlot*)&gxHeap[9], (txSlot*)&gxHeap[3] }"),
		slot(3, "(txSlot*)&gxHeap[4]", "XS_INSTANCE_KIND", ".instance = { NULL, NULL }"),
		slot(4, "NULL", "XS_MODULE_KIND", ".module = { NULL, 3126 }"),
		slot(5, "(txSlot*)&gxHeap[2]", "XS_CODE_X_KIND", '.code = { (txByte*)"\\x0d", NULL }'),
		slot(6, "(txSlot*)&gxHeap[2]", "XS_CODE_X_KIND", ".code = { (txByte*)(&gxCode7[18]), NULL }"),
		slot(8, "NULL", "XS_KEY_X_KIND", '.key = { "mcp/server", 0x19c14 }', "3126"),
	].join("\n");
	expect([...codeByModule(source)]).toEqual([
		["net/address", 1824],
		["mcp/server", 6],
	]);
});
