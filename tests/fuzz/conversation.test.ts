// Hostile traffic against the server on Node, in volume; firmware.xs.slow.test.ts sends a sample to the XS engine.

import { describe, expect, test } from "@jest/globals";
import { findScalar } from "base/json";
import fc from "fast-check";
import { image } from "../../src/mcp/content.js";
import { type Dialect, STANDARD } from "../../src/mcp/dialect.js";
import { array, integer, object, string } from "../../src/mcp/schema.js";
import { McpServer } from "../../src/mcp/server.js";
import { defineTool } from "../../src/mcp/tool.js";
import { defineTools } from "../../src/mcp/tool-list.js";
import { ENVELOPE } from "../../src/session/envelope.js";
import { MessageParser } from "../../src/session/message-parser.js";
import { XiaozhiSession } from "../../src/session/xiaozhi.js";
import { problemOf, type Revision } from "../conformance/message-schemas.js";
import { ManualTimers, settle } from "../mcp/support.js";
import { createHandConnect, type HandTransport } from "../session/support.js";
import { cases } from "./runs.js";
import { bent, expectedId, message } from "./traffic.js";

/** The long run takes minutes. */
const LONG_MS = 1_200_000;

interface Hardware {
	value: number;
	/** Calls of `set` that the handler has seen. */
	calls: unknown[];
}

const tools = defineTools<Hardware>(
	[
		defineTool({
			name: "set",
			description: "Sets the value",
			properties: { value: integer({ minimum: 0, maximum: 100 }) },
			call({ value }, hardware: Hardware) {
				hardware.calls.push(value);
				hardware.value = value;
				return true;
			},
		}),
		defineTool({
			name: "fail",
			description: "Fails",
			call: () => {
				throw new Error("no");
			},
		}),
		defineTool({ name: "later", description: "Settles later", call: async () => ({ action: "x" }) }),
		defineTool({ name: "never", description: "Never settles", timeLimitMs: 1000, call: () => new Promise<string>(() => undefined) }),
		defineTool({ name: "list", description: "A picture", call: () => image("AAAA", "image/png") }),
		defineTool({
			name: "shape",
			description: "Takes a shape",
			properties: {
				value: object({
					properties: { points: array({ items: integer(), maxItems: 3, default: [] }), name: string({ optional: true }) },
					optional: true,
				}),
			},
			call: ({ value }) => value?.name ?? "none",
		}),
	],
	[defineTool({ name: "hidden", description: "For the user", call: () => true })],
);

function createServer() {
	const hardware: Hardware = { value: -1, calls: [] };
	const timers = new ManualTimers();
	const server = new McpServer({ name: "fuzz", version: "1", board: hardware, tools, timers });
	return { hardware, timers, server };
}

/**
 * Every message out is valid for some revision and small; replies answer the ids in question, each once.
 * @param refusals how many messages without such an id may be refused, as JSON-RPC has it with the id null
 */
function checkReplies(sent: readonly string[], asked: readonly { id: string; method: unknown }[], refusals: number): void {
	const open = new Map<string, number>();
	let refused = 0;
	for (const { id } of asked) open.set(id, (open.get(id) ?? 0) + 1);
	for (const text of sent) {
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8192);
		const reply = JSON.parse(text);
		if (reply.id === undefined) {
			expect(problemOf(reply, "2025-11-25")).toBeUndefined();
			continue;
		}
		if (reply.id === null) {
			expect(reply.error.code).toBe(-32600);
			refused++;
			continue;
		}
		const id = JSON.stringify(reply.id);
		const methods = asked.filter((request) => request.id === id).map(({ method }) => (typeof method === "string" ? method : "?"));
		const revision: Revision = reply.result?.resultType ? "2026-07-28" : "2025-11-25";
		expect([text, methods.some((method) => problemOf(reply, revision, method) === undefined)]).toEqual([text, true]);
		open.set(id, (open.get(id) ?? 0) - 1);
	}
	for (const [id, left] of open) expect([id, left]).toEqual([id, 0]);
	expect(refused).toBeLessThanOrEqual(refusals);
}

describe.each<[string, Dialect]>([
	["standard", STANDARD],
	["envelope", ENVELOPE],
])("a conversation in the %s dialect", (_title, dialect) => {
	test(
		"answers every request with a valid id exactly once, and nothing else but by a refusal",
		async () => {
			await fc.assert(
				fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 20 }), async (messages) => {
					const { hardware, timers, server } = createServer();
					const sent: string[] = [];
					const conversation = server.open({ dialect, send: (text) => sent.push(text) });
					const asked: { id: string; method: unknown }[] = [];
					const cancelled = new Set<string>();
					for (const value of messages) {
						const parsed = JSON.parse(JSON.stringify(value ?? null));
						const id = expectedId(parsed);
						if (id !== undefined) asked.push({ id, method: parsed.method });
						if (parsed?.method === "notifications/cancelled" && id === undefined && parsed.params)
							cancelled.add(JSON.stringify(parsed.params.requestId));
						conversation.receive(parsed);
					}
					await settle();
					timers.advance(1000);
					await settle();
					// What was cancelled, and a subscription, has no reply; those are told apart in the conformance tests.
					const loose = asked.filter(({ id, method }) => !cancelled.has(id) && method !== "subscriptions/listen");
					const ids = new Set(asked.filter((request) => !loose.includes(request)).map(({ id }) => id));
					const strict = loose.filter(({ id }) => !ids.has(id));
					checkReplies(
						sent.filter((text) => !ids.has(JSON.stringify(JSON.parse(text).id))),
						strict,
						dialect === STANDARD ? messages.length - asked.length : 0,
					);
					// Hardware moves only by a valid call.
					for (const value of hardware.calls) expect(Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 100).toBe(true);
					expect(hardware.value).toBe(hardware.calls.at(-1) ?? -1);
					// Nothing is left behind.
					conversation.close();
					expect([server.running, timers.size]).toEqual([0, 0]);
				}),
				{ numRuns: cases(0.15) },
			);
		},
		LONG_MS,
	);
});

test(
	"a session survives any bytes: it answers what is a request, and the next good call works",
	async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(
					bent(
						fc.oneof(
							message,
							message.map((payload) => ({ type: "mcp", payload })),
							message.map((payload) => ({ type: "mcp", session_id: payload, payload })),
						),
					),
					{ minLength: 1, maxLength: 20 },
				),
				async (stream) => {
					const { timers, server } = createServer();
					const { connect, connections } = createHandConnect();
					const session = new XiaozhiSession({ server, connect, random: () => 0 });
					session.start();
					const transport = connections[0] as HandTransport;
					transport.callbacks.onOpen();
					transport.receive({ type: "hello", session_id: "s" });
					for (const bytes of stream) transport.receive(bytes);
					await settle();
					timers.advance(1000);
					await settle();
					for (const text of transport.sent) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8192);
					transport.receive({
						type: "mcp",
						payload: {
							jsonrpc: "2.0",
							id: "last",
							method: "tools/call",
							params: {
								name: "set",
								arguments: { value: 7 },
								_meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} },
							},
						},
					});
					expect(transport.last()).toMatchObject({ type: "mcp", payload: { id: "last", result: { isError: false } } });
					session.close();
					expect([server.running, timers.size]).toEqual([0, 0]);
				},
			),
			{ numRuns: cases(0.25) },
		);
	},
	LONG_MS,
);

test(
	"the message parser never throws, and agrees with JSON.parse on what is not too deep",
	() => {
		const parser = new MessageParser();
		fc.assert(
			fc.property(bent(fc.jsonValue({ maxDepth: 6 }) as fc.Arbitrary<unknown>), (bytes) => {
				const inbound = parser.parse(new Uint8Array(bytes), { knownNames: [] });
				expect(() => findScalar(new Uint8Array(bytes), ["a", "id"])).not.toThrow();
				if ("value" in inbound) expect(inbound.value).toEqual(JSON.parse(bytes.toString()));
				else expect(inbound.problem).toMatch(/^a message (that|with|nested|over) /);
			}),
			{ numRuns: cases(0.1) },
		);
	},
	LONG_MS,
);
