// Which member names a message is parsed with. Node ignores the list, so `JSON.parse` stands in here as XS has it.

import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { CALL_NAMES, MCP_NAMES } from "../../src/mcp/json-rpc.js";
import { joinNames } from "../../src/mcp/tool-list.js";
import { AROUND_NAMES, ENVELOPE_NAMES } from "../../src/session/envelope.js";
import { MessageParser } from "../../src/session/message-parser.js";

const names = {
	knownNames: joinNames([], MCP_NAMES, ENVELOPE_NAMES, ["volume"]),
	callNames: joinNames([], CALL_NAMES, AROUND_NAMES, ["volume"]),
};
const parse = JSON.parse;
/** The lists that were asked for. */
let lists: unknown[] = [];

/** As XS does it: members with names that are not in the list are gone. */
function parseWith(text: string, list: readonly string[]): unknown {
	return parse(text, function (this: object, name: string, value: unknown) {
		return Array.isArray(this) || name === "" || list.includes(name) ? value : undefined;
	});
}

beforeEach(() => {
	lists = [];
	jest.spyOn(JSON, "parse").mockImplementation((text: string, list: unknown) => {
		lists.push(list);
		return parseWith(text, list as string[]);
	});
});
afterEach(() => {
	jest.restoreAllMocks();
});

const utf8 = (message: unknown) => new TextEncoder().encode(JSON.stringify(message));
const request = (method: string, params?: object) => ({ jsonrpc: "2.0", id: 1, method, params });
const call = request("tools/call", { name: "self.set", arguments: { volume: 5 } });
const envelope = (payload: object) => ({ session_id: "a", type: "mcp", payload });

const others: readonly object[] = [
	request("initialize", { protocolVersion: "2025-11-25", capabilities: { vision: { url: "u", token: "t" } } }),
	request("tools/list", { cursor: "c", withUserTools: true }),
	request("tools/call", { name: "self.set", arguments: { volume: 5 }, _meta: { progressToken: 7 } }),
	request("tools/call", { name: "self.set", _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
	request("notifications/cancelled", { requestId: 3 }),
	request("resources/read", { uri: "board://status" }),
	{ jsonrpc: "2.0", id: 1, result: {} },
];
const messages: readonly unknown[] = [
	...[call, ...others].flatMap((message) => [message, envelope(message)]),
	{ type: "hello", session_id: "a", transport: "websocket" },
	{ type: "tts", state: "sentence_start", text: "hello" },
	{ type: "system", command: "reboot" },
	envelope([]),
	{ method: "tools/call", params: null },
	[call],
	null,
	"tools/call",
	5,
];

test("a call after a call is parsed with the few names of calls, once", () => {
	for (const message of [call, envelope(call)]) {
		const parser = new MessageParser();
		for (let i = 0; i < 3; i++) expect(parser.parse(utf8(message), names)).toMatchObject({ value: message });
	}
	expect(lists).toEqual([names.knownNames, names.callNames, names.callNames, names.knownNames, names.callNames, names.callNames]);
});

test("whatever comes after whatever, nothing that is known is lost", () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...messages), { maxLength: 8 }), (sequence) => {
			const parser = new MessageParser();
			for (const message of sequence)
				expect(parser.parse(utf8(message), names)).toMatchObject({ value: parseWith(JSON.stringify(message), names.knownNames) });
		}),
		{ numRuns: 300 },
	);
});

test("names of calls are for MCP messages, for short ones, and where there are some", () => {
	const parser = new MessageParser();
	const long = request("tools/call", { name: "self.set", arguments: { volume: 5, more: "x".repeat(1000) } });
	parser.parse(utf8(call), names);
	parser.parse(utf8(long), names);
	parser.parse(utf8(call), { knownNames: names.knownNames });
	parser.parse(utf8(call), names, false);
	expect(lists).toEqual([names.knownNames, names.knownNames, names.knownNames, names.knownNames]);
});
