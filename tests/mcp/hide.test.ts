// Fixed tools that one device does without.

import { expect, test } from "@jest/globals";
import { defineTool, type Tool } from "../../src/mcp/tool.js";
import { defineTools } from "../../src/mcp/tool-list.js";
import { createPeer } from "./support.js";

const tool = (name: string, bytes = 20) =>
	defineTool({
		name,
		description: "x".repeat(bytes),
		needs: name.startsWith("self.speaker.") ? ["speaker"] : [],
		call: (_args, _board: { speaker: object }) => name,
	});
const board = { speaker: {} };
const hide = ({ needs }: Tool) => needs?.includes("speaker") ?? false;
const names = (reply: { result: { tools: { name: string }[] } }) => reply.result.tools.map(({ name }) => name);

const list = defineTools([tool("self.a"), tool("self.speaker.play"), tool("self.b")], [tool("self.info"), tool("self.speaker.test")]);

test("hidden tools are not listed, and the others keep their order", () => {
	const { ask } = createPeer(board, list, undefined, { hide });
	expect(names(ask("tools/list"))).toEqual(["self.a", "self.b"]);
	expect(names(ask("tools/list", { withUserTools: true }))).toEqual(["self.a", "self.b", "self.info"]);
});

test("hidden tools are as unknown as those that never were", () => {
	const { call } = createPeer(board, list, undefined, { hide });
	const words = (name: string) => JSON.stringify(call(name)).replaceAll(name, "NAME");
	expect(words("self.speaker.play")).toBe(words("self.nothing"));
	expect(call("self.a").result.content[0].text).toBe("self.a");
});

test("the entries and pages are those of the whole list", () => {
	const tools = Array.from({ length: 12 }, (_, i) => tool(`self.${i % 3 ? "" : "speaker."}t${i}`, 1500));
	const large = defineTools(tools);
	const all = createPeer(board, large);
	const some = createPeer(board, large, undefined, { hide });
	const walk = (peer: typeof all) => {
		const entries: { name: string }[] = [];
		let pages = 0;
		for (let cursor: string | undefined = ""; cursor !== undefined; pages++) {
			const { result } = peer.ask("tools/list", cursor ? { cursor } : {});
			expect(peer.sent.at(-1)?.length).toBeLessThan(8000);
			entries.push(...result.tools);
			cursor = result.nextCursor;
		}
		return { entries, pages };
	};
	const shown = walk(some);
	expect(shown.entries).toEqual(walk(all).entries.filter(({ name }) => !name.startsWith("self.speaker.")));
	expect(shown.pages).toBe(2);
});

test("what a tool needs stays off the wire", () => {
	expect(JSON.stringify(createPeer(board, list).ask("tools/list"))).not.toContain("needs");
	expect(tool("self.speaker.play").needs).toEqual(["speaker"]);
	expect(Object.isFrozen(tool("self.speaker.play").needs)).toBe(true);
});

test("hidden tools are not registered with a service that takes the tools one by one", () => {
	const { server } = createPeer(board, list, undefined, { hide });
	const seen: string[] = [];
	server.forEachTool(({ name }) => seen.push(name));
	expect(seen).toEqual(["self.a", "self.b"]);
});
