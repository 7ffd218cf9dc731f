// What tools may return besides plain data: pictures, sounds, resources, mixed lists, structured results.

import { expect, test } from "@jest/globals";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { audio, image, link, resource, structured, type ToolResult, text } from "../../src/mcp/content.js";
import { STANDARD } from "../../src/mcp/dialect.js";
import { joinTexts, type TextMessage } from "../../src/mcp/json-rpc-writer.js";
import { integer, utf8Length } from "../../src/mcp/schema.js";
import { defineTool } from "../../src/mcp/tool.js";
import { defineTools } from "../../src/mcp/tool-list.js";
import { ENVELOPE } from "../../src/session/envelope.js";
import { createPeer } from "./support.js";

function resultOf(value: ToolResult, dialect = STANDARD, output?: { x: ReturnType<typeof integer> }, protocolVersion = "2025-11-25") {
	const tool = defineTool({ name: "t", description: "d", ...(output ? { output } : {}), call: () => value });
	const peer = createPeer({}, defineTools([tool]), dialect);
	peer.ask("initialize", { protocolVersion, capabilities: {} });
	const { error, result } = peer.call("t");
	if (result) CallToolResultSchema.parse(result);
	return error ?? result;
}

const PICTURE = { type: "image", data: "AAAA", mimeType: "image/png" };

test.each<[string, ToolResult, object[]]>([
	["a picture, without a word before it", image("AAAA", "image/png"), [PICTURE]],
	["a sound", audio("AAAA", "audio/wav"), [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }]],
	[
		"a link",
		link("board://status", "status", { title: "State", mimeType: "application/json", size: 12 }),
		[{ type: "resource_link", uri: "board://status", name: "status", title: "State", mimeType: "application/json", size: 12 }],
	],
	[
		"a resource of text",
		resource("board://log", { text: 'a "line"', mimeType: "text/plain" }),
		[{ type: "resource", resource: { uri: "board://log", mimeType: "text/plain", text: 'a "line"' } }],
	],
	["a resource of bytes", resource("board://photo", { blob: "AAAA" }), [{ type: "resource", resource: { uri: "board://photo", blob: "AAAA" } }]],
	[
		"a mixed list, in which plain values become texts",
		["Here it is:", image("AAAA", "image/png"), { x: 1 }, 5],
		[{ type: "text", text: "Here it is:" }, PICTURE, { type: "text", text: '{"x":1}' }, { type: "text", text: "5" }],
	],
	[
		"annotations on each item",
		[text("for you", { audience: ["user"], priority: 1 }), image("AAAA", "image/png", { lastModified: "2026-11-21T12:00:00Z" })],
		[
			{ type: "text", text: "for you", annotations: { audience: ["user"], priority: 1 } },
			{ ...PICTURE, annotations: { lastModified: "2026-11-21T12:00:00Z" } },
		],
	],
])("%s", (_title, value, content) => {
	expect(resultOf(value).content).toEqual(content);
});

test("a list of data is data", () => {
	expect(resultOf(["a", "b"]).content).toEqual([{ type: "text", text: '["a","b"]' }]);
});

test("data for programs goes out as structuredContent and as text, with items for people", () => {
	const picture = structured({ x: 5 }, image("AAAA", "image/png"));
	const expected = { content: [{ type: "text", text: '{"x":5}' }, PICTURE], structuredContent: { x: 5 }, isError: false };
	expect(resultOf(picture)).toEqual(expected);
	expect(resultOf(picture, STANDARD, { x: integer() })).toEqual(expected);
	expect(resultOf(structured({ x: "5" }), STANDARD, { x: integer() })).toMatchObject({
		isError: true,
		content: [{ text: expect.stringContaining("its result does not fit its outputSchema: x must be an integer") }],
	});
});

test("the backends of the envelope always get a text first", () => {
	expect(resultOf(audio("AAAA", "audio/wav"), ENVELOPE).content.map(({ type }: { type: string }) => type)).toEqual(["text", "audio"]);
	expect(resultOf(["look", image("AAAA", "image/png")], ENVELOPE).content.map(({ type }: { type: string }) => type)).toEqual(["text", "image"]);
});

test.each<[string, () => unknown, string]>([
	["a sound that is not base64", () => audio("ä", "audio/wav"), "audio: data must be base64"],
	["a type that is none", () => audio("AAAA", "wav"), 'audio: mimeType must be a string such as "audio/wav"'],
	["an address without a scheme", () => link("status", "s"), "link: uri must begin with a scheme"],
	["bytes that are not base64", () => resource("a:b", { blob: "?" }), "resource: data must be base64"],
	["a quotation mark deep within", () => image(`${"A".repeat(5000)}A"AA`, "image/png"), "image: data must be base64"],
	["padding that is not at the end", () => image("A=AA", "image/png"), "image: data must be base64"],
])("%s is refused where it is made", (_title, make, message) => {
	expect(make).toThrow(message);
});

test("a standard peer gets results of up to 64 KB in texts that are not copied; the envelope 8 KB at its old revision", () => {
	const photo = "A".repeat(60_000);
	const tool = defineTool({ name: "t", description: "d", call: () => [image(photo, "image/jpeg"), "灯"] });
	const { server } = createPeer({}, defineTools([tool]));
	const messages: TextMessage[] = [];
	const conversation = server.open({
		dialect: STANDARD,
		send() {
			throw new Error("joined");
		},
		sendTexts: (message) => messages.push(message),
	});
	conversation.receive({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t" } });
	const message = messages[0] as TextMessage;
	expect(message.texts).toContain(photo);
	expect(message.byteLength).toBe(utf8Length(joinTexts(message)));
	expect(CallToolResultSchema.parse(JSON.parse(joinTexts(message)).result).content).toHaveLength(2);
	expect(resultOf(image("A".repeat(65_600), "image/jpeg")).content[0].text).toMatch(
		/^The result of t is too large: about 65\d\d\d bytes, at most 65536/,
	);
	expect(resultOf(image("A".repeat(8200), "image/jpeg"), ENVELOPE, undefined, "2024-11-05").message).toContain("at most 8192 can be sent");
	expect(resultOf(image(["A".repeat(8200), "AAAA"], "image/jpeg"), ENVELOPE).content[1].data).toHaveLength(8204);
});
