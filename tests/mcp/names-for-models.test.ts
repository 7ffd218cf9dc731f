// Names, titles and hints as model APIs and MCP clients want them; the envelope keeps the names of the seeds.

import { expect, test } from "@jest/globals";
import { STANDARD } from "../../src/mcp/dialect.js";
import { boolean } from "../../src/mcp/schema.js";
import { ACTS, DESTROYS, defineTool, READS, SETS } from "../../src/mcp/tool.js";
import { defineTools } from "../../src/mcp/tool-list.js";
import { ENVELOPE } from "../../src/session/envelope.js";
import { createPeer } from "./support.js";

const tools = defineTools(
	[
		defineTool({ name: "self.light.set_rgb", description: "d", annotations: SETS, call: () => "color" }),
		defineTool({
			name: "self.lamp.get",
			title: "Lamp?",
			description: "d",
			annotations: READS,
			output: { on: boolean() },
			call: () => ({ on: true }),
		}),
	],
	[defineTool({ name: "self.settings.set", description: "d", annotations: DESTROYS, call: () => "set" })],
);
const late = defineTool({ name: "self.late.run", description: "d", annotations: ACTS, call: () => "late" });

function peerOf(dialect = STANDARD, protocolVersion = "2024-11-05") {
	const refusal = (name: string) => (name === "self.settings.set" ? "Not for you" : undefined);
	const peer = createPeer({}, tools, dialect, { rights: { userTools: true, refusal }, instructions: "This is a test." });
	peer.server.addTool(late);
	const initialized = peer.ask("initialize", { protocolVersion, capabilities: {} }).result;
	return { ...peer, initialized, list: () => peer.ask("tools/list").result.tools };
}

test("a standard peer is listed names without dots, and may call by either name", () => {
	const { call, list } = peerOf();
	expect(list().map(({ name }: { name: string }) => name)).toEqual(["self_light_set_rgb", "self_lamp_get", "self_late_run"]);
	for (const name of ["self_light_set_rgb", "self.light.set_rgb"]) expect(call(name).result.content[0].text).toBe("color");
	for (const name of ["self_late_run", "self.late.run"]) expect(call(name).result.content[0].text).toBe("late");
	for (const name of ["self_light.set_rgb", "self-light-set-rgb"]) expect(call(name).error.message).toContain("Unknown tool");
});

test("a tool that its peer may not call is refused under either name", () => {
	for (const dialect of [STANDARD, ENVELOPE])
		for (const name of ["self.settings.set", "self_settings_set"]) expect(JSON.stringify(peerOf(dialect).call(name))).toContain("Not for you");
	const peer = createPeer({}, tools, STANDARD, { rights: {} });
	for (const name of ["self.settings.set", "self_settings_set"]) expect(peer.call(name).error.message).toBe(`Unknown tool: ${name}`);
});

test("two names that differ only in dots and underscores are refused where they are defined", () => {
	const tool = (name: string) => defineTool({ name, description: "d", call: () => true });
	expect(() => defineTools([tool("a.b"), tool("a_b")])).toThrow("tool a_b, number 2 of the fixed tools, has the name of number 1 of the fixed tools");
	expect(() => peerOf().server.addTool(tool("self.light_set.rgb"))).toThrow("has the name of number 1 of the fixed tools");
});

test("titles, hints and output schemas go to every standard peer, and in the envelope to revisions that have them", () => {
	for (const [dialect, revision] of [
		[STANDARD, "2024-11-05"],
		[ENVELOPE, "2025-06-18"],
	] as const) {
		const { initialized, list, call } = peerOf(dialect, revision);
		expect(list()).toMatchObject([
			{
				title: "Light: set RGB",
				inputSchema: { additionalProperties: false },
				annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
			},
			{ title: "Lamp?", outputSchema: { required: ["on"] }, annotations: { readOnlyHint: true } },
			{ title: "Late: run", annotations: { idempotentHint: false } },
		]);
		expect(initialized.instructions).toBe("This is a test.");
		expect(call("self.lamp.get").result.structuredContent).toEqual({ on: true });
	}
	const { initialized, list, call } = peerOf(ENVELOPE);
	expect(list()[1]).toEqual({ name: "self.lamp.get", description: "d", inputSchema: { type: "object", properties: {}, required: [] } });
	expect(initialized.instructions).toBeUndefined();
	expect(call("self.lamp.get").result.structuredContent).toBeUndefined();
});

test("a tool whose author said nothing is not called harmless", () => {
	const { server, list } = peerOf();
	server.addTool("plain", "d", {}, () => true);
	expect(list().at(-1)).toMatchObject({ title: "Plain", annotations: { openWorldHint: false } });
	expect(list().at(-1).annotations.destructiveHint).toBeUndefined();
});
