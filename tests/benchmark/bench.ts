// What `npm run benchmark` measures: the core and a session with as many tools as wanted, and messages of one kind.

import { CALL_NAMES } from "../../src/mcp/json-rpc.js";
import { joinTexts, type TextMessage } from "../../src/mcp/json-rpc-writer.js";
import { integer } from "../../src/mcp/schema.js";
import { McpServer } from "../../src/mcp/server.js";
import { defineTool } from "../../src/mcp/tool.js";
import { defineTools, joinNames, type ToolList } from "../../src/mcp/tool-list.js";
import { EndpointSession } from "../../src/session/endpoint.js";
import { AROUND_NAMES, ENVELOPE_NAMES, FRAMED_NAMES } from "../../src/session/envelope.js";
import { XiaozhiSession } from "../../src/session/xiaozhi.js";
import type { Transport, TransportCallbacks } from "../../src/transports/transport.js";

const utf8 = (text: string) => new Uint8Array(ArrayBuffer.fromString(text));
const part = (name: string) => integer({ minimum: 0, maximum: 255, description: `The ${name} part, 0 to 255` });
const message = (method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id: 7, method, params });
const textOf = (message: string | TextMessage) => (typeof message === "string" ? message : joinTexts(message));
const call = (name: string, blue: number) => message("tools/call", { name, arguments: { red: 1, green: 2, blue } });

export const makeTools = (count: number): ToolList<object> =>
	defineTools(
		Array.from({ length: count }, (_, i) =>
			defineTool({
				name: `self.thing${i}.set_value`,
				description: `Sets the three values of thing number ${i} at once`,
				properties: { red: part("red"), green: part("green"), blue: part("blue") },
				call: ({ red, green, blue }) => red + green + blue,
			}),
		),
	);

/**
 * Lets a session answer messages of one kind, so many times.
 * @throws Error where one is not answered
 */
export function bench(tools: ToolList<object>, operation: string, rounds: number): void {
	// As src/names.ts joins them.
	const names = joinNames([], tools.knownNames, ENVELOPE_NAMES, FRAMED_NAMES);
	const callNames = joinNames(tools.tools, CALL_NAMES, AROUND_NAMES);
	const server = new McpServer({ name: "bench", version: "1.0.0", board: {}, tools, names, callNames, timers: { set: () => 1, clear() {} } });
	let callbacks: TransportCallbacks | undefined;
	let replies = 0;
	let last: string | TextMessage = "";
	const reply = (message: string | TextMessage) => {
		last = message;
		replies++;
	};
	const connect = (given: TransportCallbacks): Transport => {
		callbacks = given;
		return { congested: false, send: reply, sendTexts: reply, close() {} };
	};
	const enveloped = operation === "envelope call";
	const Session = enveloped ? XiaozhiSession : EndpointSession;
	new Session({ server, connect, log() {} }).start();
	callbacks?.onOpen();
	const wrap = (text: string) => utf8(enveloped ? `{"session_id":"a7c0b1e2-1","type":"mcp","payload":${text}}` : text);
	if (enveloped) callbacks?.onMessage(utf8('{"type":"hello","session_id":"a7c0b1e2-1","transport":"websocket"}'));
	const initialize = message("initialize", { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "b", version: "1" } });
	callbacks?.onMessage(wrap(initialize));
	const kinds: { [operation: string]: string[] } = {
		initialize: [initialize],
		call: [call("self.thing5.set_value", 3)],
		"envelope call": [call("self.thing5.set_value", 3)],
		"bad argument": [call("self.thing5.set_value", 300)],
		"unknown tool": [call("self.nothing", 3)],
		list: [],
	};
	const messages = kinds[operation] ?? [];
	if (operation === "floor") {
		const bytes = utf8(call("self.thing5.set_value", 3)).buffer;
		for (let i = 0; i < rounds; i++) {
			const { id, params } = JSON.parse(String.fromArrayBuffer(bytes));
			replies += '{"jsonrpc":"2.0","id":'.concat(
				String(id),
				',"result":{"content":[{"type":"text","text":"',
				String(params.arguments.red),
				'"}],"isError":false}}',
			).length;
		}
		return;
	}
	if (operation === "list")
		for (let cursor: string | undefined = ""; cursor !== undefined; cursor = JSON.parse(textOf(last)).result.nextCursor) {
			const page = message("tools/list", cursor ? { cursor } : {});
			messages.push(page);
			callbacks?.onMessage(wrap(page));
		}
	const wrapped = messages.map(wrap);
	const before = replies;
	// An iterator would cost 4,000 instructions a message.
	for (let i = 0; i < rounds; i++) for (let k = 0; k < wrapped.length; k++) callbacks?.onMessage(wrapped[k] as Uint8Array);
	if (replies - before !== rounds * wrapped.length) throw new Error(`${operation}: a message was not answered`);
}
