import { describe, expect, jest, test } from "@jest/globals";
import { image, ToolError, text } from "../../src/mcp/content.js";
import { joinTexts } from "../../src/mcp/json-rpc-writer.js";
import { integer, type Property, string, utf8Length } from "../../src/mcp/schema.js";
import { McpServer } from "../../src/mcp/server.js";
import { defineTool, type Tool } from "../../src/mcp/tool.js";
import { defineTools } from "../../src/mcp/tool-list.js";
import { ENVELOPE } from "../../src/session/envelope.js";
import { createPeer, ManualTimers, type Peer, settle } from "./support.js";

interface Light {
	color: number[];
}

const setRgb = defineTool({
	name: "self.light.set_rgb",
	description: "Sets the color",
	properties: {
		r: integer({ minimum: 0, maximum: 255 }),
		g: integer({ minimum: 0, maximum: 255 }),
		b: integer({ minimum: 0, maximum: 255, default: 7 }),
	},
	call({ r, g, b }, light: Light) {
		light.color = [r, g, b];
		return true;
	},
});
const reboot = defineTool({ name: "self.reboot", description: "Restarts", call: () => true });

function returns(value: unknown): Tool<unknown> {
	return defineTool({ name: "t", description: "d", call: () => value as string });
}

const light = () => createPeer<Light>({ color: [] }, defineTools([setRgb], [reboot]));

describe("initialize", () => {
	test("answers with revision, capabilities and the server's name", () => {
		expect(light().ask("initialize", { capabilities: {} })).toEqual({
			jsonrpc: "2.0",
			id: 1,
			result: { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo: { name: "test", version: "1.0" } },
		});
	});

	test.each([
		["2024-11-05", "2024-11-05"],
		["2025-06-18", "2025-06-18"],
		["2025-11-25", "2025-11-25"],
		["2025-03-26", "2024-11-05"],
		["2099-01-01", "2025-11-25"],
		["0.1.0", "2024-11-05"],
		[undefined, "2024-11-05"],
		[7, "2024-11-05"],
	])("to a client that asks for %s answers %s", (asked, answered) => {
		expect(light().ask("initialize", { protocolVersion: asked }).result.protocolVersion).toBe(answered);
	});

	test("keeps the camera's address", () => {
		const peer = light();
		peer.ask("initialize", { capabilities: { vision: { url: "http://v", token: "t" } } });
		expect(peer.conversation.vision).toEqual({ url: "http://v", token: "t" });
	});

	test("may come again at any time", () => {
		const peer = light();
		for (const id of [1, 1, "a"]) expect(peer.ask("initialize", {}, id).id).toBe(id);
	});
});

describe("requests", () => {
	test("ping is answered with an empty result", () => {
		expect(light().ask("ping")).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
	});

	test.each([[1], [0], [-5], ["abc"], [""], ["7"], ['quo"te\n'], ["6ba7b810-9dad-11d1-80b4-00c04fd430c8_n_3"]])(
		"echo the id %p with its type",
		(id) => {
			expect(light().ask("ping", undefined, id).id).toBe(id);
		},
	);

	test("of an unknown method get −32601", () => {
		expect(light().ask("resources/list")).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found: resources/list" } });
	});

	test("with a wrong jsonrpc, method or params get an error that says what came", () => {
		const peer = light();
		const send = (message: unknown) => {
			peer.conversation.receive(message);
			return JSON.parse(peer.sent.at(-1) as string).error;
		};
		expect(send({ jsonrpc: "1.0", id: 1, method: "ping" })).toEqual({ code: -32600, message: 'jsonrpc must be "2.0", got the string "1.0"' });
		expect(send({ id: 1, method: "ping" })).toEqual({ code: -32600, message: 'jsonrpc must be "2.0", got nothing' });
		expect(send({ jsonrpc: "2.0", id: 1, method: 5 })).toEqual({ code: -32600, message: "method must be a string, got 5" });
		expect(send({ jsonrpc: "2.0", id: 1 })).toEqual({ code: -32600, message: "method must be a string, got nothing" });
		for (const params of [[], "x", 5, true])
			expect(send({ jsonrpc: "2.0", id: 1, method: "tools/list", params })).toMatchObject({
				code: -32602,
				message: expect.stringContaining("params must be an object, got"),
			});
	});

	test("may carry null params, and null result and error", () => {
		const peer = light();
		expect(peer.ask("tools/list", null).result.tools).toHaveLength(1);
		peer.conversation.receive({ jsonrpc: "2.0", id: 2, method: "ping", params: null, result: null, error: null });
		expect(JSON.parse(peer.sent.at(-1) as string)).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
	});

	test("without a usable id, and everything that is no request, get no reply", () => {
		const peer = light();
		const strays = [null, 5, "x", true, [], [{ jsonrpc: "2.0", id: 1, method: "ping" }], {}, { jsonrpc: "2.0" }];
		const ids = [null, true, {}, [], "x".repeat(129)].map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
		const rest = [
			{ jsonrpc: "2.0", id: 1, result: {} },
			{ jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } },
			{ jsonrpc: "2.0", method: "notifications/initialized" },
			{ jsonrpc: "2.0", method: "notifications/whatever", params: 5 },
			{ jsonrpc: "2.0", method: "tools/list" },
		];
		for (const message of [...strays, ...ids, ...rest]) peer.conversation.receive(message);
		expect(peer.sent).toEqual([]);
		expect(peer.ask("ping").result).toEqual({});
	});
});

describe("tools/list", () => {
	const names = (reply: { result: { tools: { name: string }[] } }) => reply.result.tools.map(({ name }) => name);

	test("gives every tool with a description and a complete inputSchema", () => {
		expect(light().ask("tools/list").result).toEqual({
			tools: [
				{
					name: "self.light.set_rgb",
					description: "Sets the color",
					inputSchema: {
						type: "object",
						properties: {
							r: { type: "integer", minimum: 0, maximum: 255 },
							g: { type: "integer", minimum: 0, maximum: 255 },
							b: { type: "integer", minimum: 0, maximum: 255, default: 7 },
						},
						required: ["r", "g"],
					},
				},
			],
		});
		expect(createPeer({}, defineTools([returns(1)])).ask("tools/list").result.tools[0].inputSchema).toEqual({
			type: "object",
			properties: {},
			required: [],
		});
	});

	test("shows user-only tools only with withUserTools: true, marked as meant for the user", () => {
		const peer = light();
		for (const params of [{}, { withUserTools: false }, { withUserTools: "true" }, { cursor: "" }])
			expect(names(peer.ask("tools/list", params))).toEqual(["self.light.set_rgb"]);
		const { tools } = peer.ask("tools/list", { withUserTools: true }).result;
		expect(tools).toHaveLength(2);
		expect(tools[1]).toMatchObject({ name: "self.reboot", annotations: { audience: ["user"] } });
		expect(tools[0].annotations).toBeUndefined();
	});

	test("of a board without tools is empty", () => {
		expect(createPeer({}).ask("tools/list").result).toEqual({ tools: [] });
	});

	const many = (count: number, prefix: string, description: string) =>
		Array.from({ length: count }, (_, i) =>
			defineTool({ name: `${prefix}${i}`, description, properties: { a: integer({ description }) }, call: () => true }),
		);

	function walk(peer: Pick<Peer<never>, "ask" | "sent">, withUserTools: boolean) {
		const seen: string[] = [];
		const cursors = new Set<string>();
		let cursor = "";
		for (;;) {
			const reply = peer.ask("tools/list", { cursor, withUserTools }, "x".repeat(128));
			expect(utf8Length(peer.sent.at(-1) as string)).toBeLessThanOrEqual(8000);
			seen.push(...names(reply));
			if (!("nextCursor" in reply.result)) return { seen, pages: cursors.size + 1 };
			cursor = reply.result.nextCursor;
			expect(cursors.has(cursor)).toBe(false);
			cursors.add(cursor);
		}
	}

	test.each([
		["ASCII", "Sets a value of the thing"],
		["Chinese", "设置音箱的音量大小,范围从零到一百"],
		["astral", "😀".repeat(20)],
	])("is paged with no payload over 8000 bytes, in the order of registration (%s)", (_kind, description) => {
		const fixed = many(40, "fixed", description);
		const users = many(30, "user", description);
		const peer = createPeer({}, defineTools(fixed, users));
		for (const tool of many(20, "late", description)) peer.server.addTool(tool);
		for (const tool of many(20, "lateuser", description)) peer.server.addUserOnlyTool(tool);
		const expected = [...Array.from({ length: 40 }, (_, i) => `fixed${i}`), ...Array.from({ length: 20 }, (_, i) => `late${i}`)];
		const model = walk(peer, false);
		expect(model.seen).toEqual(expected);
		expect(model.pages).toBeGreaterThan(1);
		expect(walk(peer, true).seen).toEqual([
			...expected,
			...Array.from({ length: 30 }, (_, i) => `user${i}`),
			...Array.from({ length: 20 }, (_, i) => `lateuser${i}`),
		]);
	});

	test.each(["Sets a value of the thing", "设置音箱的音量大小", "😀".repeat(20)])(
		"goes out in texts that are where they lie, with their exact length (%s)",
		(description) => {
			const tools = defineTools(many(40, "fixed", description), many(3, "user", description));
			for (const options of [{}, { hide: ({ name }: Tool) => name === "fixed3" }]) {
				const peer = createPeer({}, tools, ENVELOPE, options);
				const late = many(2, "late", description);
				for (const tool of late) peer.server.addTool(tool);
				const messages: { text: string; bytes: number; texts: readonly string[] }[] = [];
				const send = () => {
					throw new Error("joined");
				};
				const other = peer.server.open({
					dialect: ENVELOPE,
					rights: { userTools: true },
					send,
					sendTexts: (message) => messages.push({ text: joinTexts(message), bytes: message.byteLength, texts: message.texts }),
				});
				for (const conversation of [other, peer.conversation]) conversation.setEnvelope('{"session_id":"灯","payload":', "}");
				for (let cursor: string | undefined = ""; cursor !== undefined; ) {
					const params = { cursor, withUserTools: true };
					peer.conversation.receive({ jsonrpc: "2.0", id: 1, method: "tools/list", params });
					other.receive({ jsonrpc: "2.0", id: 1, method: "tools/list", params });
					const { text, bytes } = messages.at(-1) as { text: string; bytes: number };
					expect(text).toBe(peer.sent.at(-1));
					expect(bytes).toBe(utf8Length(text));
					cursor = JSON.parse(text).payload.result.nextCursor;
				}
				// Nothing is written anew for a page.
				expect(messages[0]?.texts).toEqual(expect.arrayContaining([tools.tools[0]?.body, tools.tools[1]?.body]));
			}
		},
	);

	test("has every entry on some page, also one of the largest size", () => {
		const big = (name: string, bytes: number) => {
			const size = (length: number) => defineTool({ name, description: "x".repeat(length), call: () => true });
			return size(
				bytes -
					utf8Length(
						`{"name":"${name}","description":"","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false},` +
							`"annotations":{"audience":["user"],"openWorldHint":false},"title":"${name.replace(/^./, (letter) => letter.toUpperCase())}"}`,
					),
			);
		};
		const peer = createPeer({}, defineTools([big("bigger", 7400), big("biggest", 7488)]));
		expect(walk(peer, false)).toEqual({ seen: ["bigger", "biggest"], pages: 2 });
		expect(() => big("toobig", 7489)).toThrow("tool toobig: its entry in tools/list takes 7489 bytes, at most 7488");
	});

	test("refuses a cursor that it never gave", () => {
		const peer = light();
		expect(peer.ask("tools/list", { cursor: "nope" }).error).toEqual({ code: -32602, message: "Unknown cursor: nope" });
		expect(peer.ask("tools/list", { cursor: 5 }).error).toEqual({ code: -32602, message: "cursor must be a string, got 5" });
		expect(peer.ask("tools/list", { cursor: null }).result.tools).toHaveLength(1);
	});
});

describe("tools/call", () => {
	test("hands checked arguments with their defaults to the tool", () => {
		const peer = light();
		expect(peer.call("self.light.set_rgb", { r: 1, g: 2.0 })).toEqual({
			jsonrpc: "2.0",
			id: 1,
			result: { content: [{ type: "text", text: "true" }], isError: false },
		});
		expect(peer.server.board.color).toEqual([1, 2, 7]);
	});

	test.each<[string, unknown, string]>([
		["out of range", { r: 256, g: 0 }, "Argument r must be an integer from 0 to 255, got 256"],
		["of the wrong type", { r: "red", g: 0 }, 'Argument r must be an integer from 0 to 255, got the string "red"'],
		["missing", { r: 1 }, "Argument g is missing: expected an integer from 0 to 255"],
		["fractional", { r: 1.5, g: 0 }, "Argument r must be an integer from 0 to 255, got 1.5"],
		["null", { r: null, g: 0 }, "Argument r must be an integer from 0 to 255, got null"],
		["no object", [1, 2], "arguments must be an object, got an array of 2"],
		["a text", "r=1", 'arguments must be an object, got the string "r=1"'],
	])("an argument that is %s never reaches the tool", (_title, args, message) => {
		const peer = light();
		expect(peer.call("self.light.set_rgb", args).error).toEqual({ code: -32602, message });
		expect(peer.server.board.color).toEqual([]);
	});

	test("takes null and absent arguments for none", () => {
		const peer = createPeer({}, defineTools([returns("ok")]));
		for (const params of [{ name: "t" }, { name: "t", arguments: null }, { name: "t", arguments: {} }])
			expect(peer.ask("tools/call", params).result.content[0].text).toBe("ok");
	});

	test("of a tool that is not there says so", () => {
		const peer = light();
		expect(peer.call("self.nope").error).toEqual({ code: -32601, message: "Unknown tool: self.nope" });
		for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) expect(peer.call(name).error.code).toBe(-32601);
		expect(peer.call("x".repeat(5000)).error.message.length).toBeLessThan(100);
		expect(peer.ask("tools/call", { name: 5 }).error).toEqual({ code: -32602, message: "name must be a string, got 5" });
		expect(peer.ask("tools/call", {}).error).toEqual({ code: -32602, message: "name must be a string, got nothing" });
	});

	test.each<[string, unknown, string]>([
		["true", true, "true"],
		["false", false, "false"],
		["nothing", undefined, "true"],
		["null", null, "true"],
		["a number", 42, "42"],
		["a text", 'say "hi"\n', 'say "hi"\n'],
		["an object", { a: 1, b: [true] }, '{"a":1,"b":[true]}'],
		["an array", [1, 2], "[1,2]"],
		["an empty array", [], "[]"],
	])("sends %s as text", (_title, value, sent) => {
		expect(createPeer({}, defineTools([returns(value)])).call("t").result).toEqual({ content: [{ type: "text", text: sent }], isError: false });
	});

	test("sends a picture after a text, and several items in their order", () => {
		const picture = { type: "image", data: "AAAA", mimeType: "image/png" };
		expect(createPeer({}, defineTools([returns(image("AAAA", "image/png"))])).call("t").result.content).toEqual([
			{ type: "text", text: "image" },
			picture,
		]);
		expect(createPeer({}, defineTools([returns([text("a"), image("AAAA", "image/png"), text("b")])])).call("t").result.content).toEqual([
			{ type: "text", text: "a" },
			picture,
			{ type: "text", text: "b" },
		]);
		expect(() => image("not base64!", "image/png")).toThrow("data must be base64");
		expect(() => image("AAAA", "png")).toThrow("mimeType must be");
	});

	test("never sends a text that a backend takes for a command of its own", () => {
		for (const value of [{ action: "forward" }, '{"action":"forward"}', ' {"x":1,"action":null}']) {
			const sent = JSON.parse(createPeer({}, defineTools([returns(value)])).call("t").result.content[0].text);
			expect(sent.action).toBeUndefined();
			expect(sent.result).toEqual(typeof value === "string" ? JSON.parse(value) : value);
		}
		for (const value of ['the "action" is done', '{"a":{"action":1}}', '{"action": broken'])
			expect(createPeer({}, defineTools([returns(value)])).call("t").result.content[0].text).toBe(value);
	});

	test("answers a promise when it settles", async () => {
		const peer = createPeer({}, defineTools([returns(Promise.resolve({ done: 1 }))]));
		expect(peer.call("t")).toBeUndefined();
		await settle();
		expect(peer.replies()).toEqual([{ jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: '{"done":1}' }], isError: false } }]);
		expect(peer.timers.size).toBe(0);
	});

	test.each<[string, () => unknown, number, string]>([
		["throws what the caller can mend", () => Promise.reject(new ToolError("The arm is blocked")), -32000, "The arm is blocked"],
		["rejects", () => Promise.reject(new Error("i2c timeout")), -32603, "t failed: i2c timeout"],
		["rejects with no error", () => Promise.reject("x"), -32603, "t failed: x"],
		["returns what cannot be sent", () => Promise.resolve(() => 1), -32603, "t failed: a tool cannot return a function"],
	])("a tool that %s gives one error with an integer code", async (_title, call, code, message) => {
		const peer = createPeer({}, defineTools([defineTool({ name: "t", description: "d", call: call as () => string })]));
		peer.call("t");
		await settle();
		expect(peer.replies()).toEqual([{ jsonrpc: "2.0", id: 1, error: { code, message } }]);
		expect(peer.ask("ping").result).toEqual({});
	});

	test("a tool that throws gives an error without a stack, and the next call works", () => {
		const fails = defineTool({
			name: "t",
			description: "d",
			call: () => {
				throw new Error("boom");
			},
		});
		const peer = createPeer({}, defineTools([fails]));
		expect(peer.call("t")).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "t failed: boom" } });
		expect(peer.logged.join("\n")).toContain("boom");
		expect(peer.ask("ping").result).toEqual({});
	});

	test.each([
		[
			"throws",
			() => {
				throw new Error("boom");
			},
			/^mcp: tool t: Error: boom\n(.*\n?){1,5}$/,
		],
		["returns nothing", () => undefined, /^mcp: tool t returned undefined: return true, or what the caller is to be told$/],
		["returns no number", () => Number.NaN, /^mcp: tool t returned NaN: return/],
	])("the log names a tool that %s, in six lines at most", (_title, call, line) => {
		const peer = createPeer({}, defineTools([defineTool({ name: "t", description: "d", call: call as unknown as () => string })]));
		peer.call("t");
		expect(peer.logged).toEqual([expect.stringMatching(line)]);
	});

	test("a result that contains itself gives an error", () => {
		const loop: { self?: unknown } = {};
		loop.self = loop;
		expect(createPeer({}, defineTools([returns(loop)])).call("t").error.message).toContain("contains itself");
	});

	test("a promise that never settles ends in an error after 25 s, and its late result is dropped", async () => {
		let finish: (value: string) => void = () => undefined;
		const cancelled = jest.fn();
		const slow = defineTool({
			name: "t",
			description: "d",
			call(_args, _board: unknown, context) {
				context.onCancel = cancelled;
				return new Promise<string>((resolve) => {
					finish = resolve;
				});
			},
		});
		const peer = createPeer({}, defineTools([slow]));
		peer.call("t");
		peer.timers.advance(24_999);
		expect(peer.sent).toEqual([]);
		peer.timers.advance(1);
		expect(peer.replies()).toEqual([{ jsonrpc: "2.0", id: 1, error: { code: -32000, message: "t gave no result within 25 seconds" } }]);
		expect(cancelled).toHaveBeenCalledTimes(1);
		finish("late");
		await settle();
		expect(peer.sent).toHaveLength(1);
		expect(peer.call("t")).toBeUndefined();
	});

	test("a result too large for a message gives an error that says so", () => {
		for (const value of ["x".repeat(9000), "音".repeat(3000)]) {
			const reply = createPeer({}, defineTools([returns(value)])).call("t");
			expect(reply.error.message).toMatch(/^The result of t is too large: about \d+ bytes, at most 8192 can be sent$/);
		}
		expect(createPeer({}, defineTools([returns("x".repeat(7000))])).call("t").result.isError).toBe(false);
	});

	test("100 calls that end at once are all answered", () => {
		const peer = light();
		for (let i = 0; i < 100; i++)
			expect(peer.ask("tools/call", { name: "self.light.set_rgb", arguments: { r: i, g: 0 } }, i)).toMatchObject({
				id: i,
				result: { isError: false },
			});
	});

	test("of 100 calls that take their time 4 run, the others are told that the device is busy", async () => {
		const resolvers: ((value: string) => void)[] = [];
		const slow = defineTool({ name: "t", description: "d", call: () => new Promise<string>((resolve) => resolvers.push(resolve)) });
		const peer = createPeer({}, defineTools([slow]));
		for (let i = 0; i < 100; i++) peer.ask("tools/call", { name: "t" }, i);
		expect(resolvers).toHaveLength(4);
		expect(peer.replies()).toHaveLength(96);
		for (const reply of peer.replies())
			expect(reply.error).toEqual({ code: -32001, message: "Busy: 4 calls of this connection are running, try again" });
		for (const resolve of resolvers) resolve("done");
		await settle();
		expect(
			peer
				.replies()
				.slice(96)
				.map(({ id }) => id),
		).toEqual([0, 1, 2, 3]);
		peer.ask("tools/call", { name: "t" }, 200);
		expect(resolvers).toHaveLength(5);
	});

	test("of all peers together 8 run at a time", () => {
		let running = 0;
		const slow = defineTool({ name: "t", description: "d", call: () => new Promise<string>(() => running++) });
		const peer = createPeer({}, defineTools([slow]));
		const replies: string[] = [];
		for (let other = 0; other < 2; other++) {
			const conversation = peer.server.open({ dialect: ENVELOPE, rights: { userTools: false }, send: (text) => replies.push(text) });
			for (let id = 0; id < 4; id++) conversation.receive({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "t" } });
		}
		expect([running, replies]).toEqual([8, []]);
		expect(peer.call("t").error.message).toBe("Busy: 8 calls are running, try again");
		expect(running).toBe(8);
	});

	test("ends with the conversation: running calls are cancelled, nothing is sent any more", async () => {
		let context: { cancelled: boolean } | undefined;
		const slow = defineTool({
			name: "t",
			description: "d",
			call(_args, _board: unknown, given) {
				context = given;
				return new Promise<string>(() => undefined);
			},
		});
		const peer = createPeer({}, defineTools([slow]));
		peer.call("t");
		peer.conversation.close();
		peer.conversation.close();
		expect(context?.cancelled).toBe(true);
		expect(peer.timers.size).toBe(0);
		expect(peer.server.running).toBe(0);
		peer.conversation.receive({ jsonrpc: "2.0", id: 1, method: "ping" });
		expect(peer.sent).toEqual([]);
	});
});

describe("addTool", () => {
	test("takes a tool constant and the reference's four arguments", () => {
		const peer = light();
		peer.server.addTool(returns("constant"));
		peer.server.addTool("four", "By name", { word: string() }, ({ word }) => `you said ${word}`);
		peer.server.addUserOnlyTool("hidden", "For the user", {}, () => true);
		expect(peer.call("t").result.content[0].text).toBe("constant");
		expect(peer.call("four", { word: "hi" }).result.content[0].text).toBe("you said hi");
		expect(peer.ask("tools/list").result.tools.map(({ name }: { name: string }) => name)).toEqual(["self.light.set_rgb", "t", "four"]);
		expect(peer.ask("tools/list", { withUserTools: true }).result.tools.map(({ name }: { name: string }) => name)).toEqual([
			"self.light.set_rgb",
			"t",
			"four",
			"self.reboot",
			"hidden",
		]);
	});

	test("refuses a name that is taken, and says where both are", () => {
		const { server } = light();
		server.addTool(returns(1));
		const make = (name: string) => defineTool({ name, description: "d", call: () => true });
		expect(() => server.addTool(make("self.light.set_rgb"))).toThrow(
			"tool self.light.set_rgb, number 2 added at run time, has the name of number 1 of the fixed tools",
		);
		expect(() => server.addTool(make("self.reboot"))).toThrow("has the name of number 1 of the fixed user-only tools");
		expect(() => server.addUserOnlyTool(make("t"))).toThrow("has the name of number 1 of the tools added at run time");
		expect(() => server.addTool(make("self_light_set.rgb"))).toThrow("has the name of number 1 of the fixed tools");
		expect(() => defineTools([make("a"), make("b"), make("a")])).toThrow(
			"tool a, number 3 of the fixed tools, has the name of number 1 of the fixed tools",
		);
		expect(() => defineTools([make("a")], [make("a")])).toThrow(
			"tool a, number 1 of the fixed user-only tools, has the name of number 1 of the fixed tools",
		);
	});

	test("a definition makes one tool", () => {
		const definition = { name: "a", description: "d", call: () => true };
		defineTool(definition);
		expect(() => defineTool(definition)).toThrow("a tool's definition needs a name, and can be used only once");
	});

	test.each<[string, () => unknown, string]>([
		["an empty name", () => defineTool({ name: "", description: "d", call: () => true }), "a name must be 1 to 64"],
		["a name with a blank", () => defineTool({ name: "a b", description: "d", call: () => true }), "a name must be 1 to 64"],
		["a name of 65 characters", () => defineTool({ name: "x".repeat(65), description: "d", call: () => true }), "a name must be 1 to 64"],
		["no description", () => defineTool({ name: "a", description: "", call: () => true }), "tool a: description must be a text, got the string"],
		[
			"a description without its Chinese",
			() => defineTool({ name: "a", description: { en: "d" } as never, call: () => true }),
			"tool a: description: the text in the language zh is missing",
		],
		["no function", () => defineTool({ name: "a", description: "d", call: 5 as never }), "tool a: call must be a function, got 5"],
		[
			"a property that is none",
			() => defineTool({ name: "a", description: "d", properties: { x: 1 as unknown as Property }, call: () => true }),
			"tool a: property x must be made by",
		],
		["a time limit of 0", () => defineTool({ name: "a", description: "d", timeLimitMs: 0, call: () => true }), "tool a: timeLimitMs must be"],
		["something else than a tool", () => light().server.addTool({} as never), "addTool: expected a tool made by defineTool"],
		["a list with something else", () => defineTools([{} as never]), "number 1 of the fixed tools is not made by defineTool"],
	])("refuses %s", (_title, make, message) => {
		expect(make).toThrow(message);
	});

	test("removeTool removes what was added at run time, and only that", () => {
		const peer = light();
		peer.server.addTool(returns(1));
		expect(peer.server.removeTool("t")).toBe(true);
		expect(peer.server.removeTool("t")).toBe(false);
		expect(peer.server.removeTool("self.reboot")).toBe(false);
		expect(peer.call("t").error.code).toBe(-32601);
	});
});

describe("notify", () => {
	test("sends a notification without id to every peer", () => {
		const peer = light();
		peer.conversation.listen();
		peer.server.notify("notifications/state_changed", { newState: "idle", oldState: "connecting" });
		expect(peer.replies()).toEqual([{ jsonrpc: "2.0", method: "notifications/state_changed", params: { newState: "idle", oldState: "connecting" } }]);
	});

	test("drops and logs one that is too large or that a slow peer cannot take", () => {
		const logged: string[] = [];
		const sent: string[] = [];
		let congested = false;
		const server = new McpServer({ name: "n", version: "1", board: {}, timers: new ManualTimers(), log: (line) => logged.push(line) });
		server.open({ dialect: ENVELOPE, send: (line) => sent.push(line), congested: () => congested }).listen();
		server.notify("notifications/big", { text: "x".repeat(9000) });
		congested = true;
		server.notify("notifications/small");
		congested = false;
		server.notify("notifications/small");
		expect(sent).toHaveLength(1);
		expect(logged).toEqual([
			"mcp: notifications/big is dropped, it is over 8192 bytes",
			"mcp: notifications/small is dropped, the peer does not keep up",
		]);
	});
});

test("McpServer refuses a name or version that cannot be sent", () => {
	const make = (name: string, version: string) => () => new McpServer({ name, version, board: {}, timers: new ManualTimers() });
	expect(make("", "1")).toThrow("name must be a string of 1 to 64 bytes");
	expect(make("x".repeat(65), "1")).toThrow("name must be a string of 1 to 64 bytes");
	expect(make("x", "1".repeat(33))).toThrow("version must be a string of 1 to 32 bytes");
});
