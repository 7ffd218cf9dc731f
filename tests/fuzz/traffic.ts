// Arbitrary traffic: valid requests, requests bent in one place, JSON-RPC of every kind, and bytes that are nothing.

import fc from "fast-check";

export const TOOLS = ["set", "fail", "later", "never", "list", "shape", "nope", "hidden", "__proto__", "constructor", ""] as const;

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

const validId = fc.oneof(
	fc.integer(),
	fc.string({ maxLength: 40 }),
	fc.constantFrom<string | number>(0, -1, 1.5, 2 ** 53, "音", "😀", 'a"b\\', "\u2028"),
);
const anyId = fc.oneof(
	{ weight: 8, arbitrary: validId as fc.Arbitrary<unknown> },
	{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<unknown> },
	{ weight: 1, arbitrary: fc.constant("x".repeat(200)) },
);
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>;

const args = fc.oneof(
	fc.record({ value: fc.integer({ min: -5, max: 105 }) }),
	fc.record({ value: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.string(), fc.double(), fc.constant(null)) }, { requiredKeys: [] }),
	json,
);
const meta = fc.oneof(
	fc.constant(undefined),
	fc.constant({ [VERSION]: "2026-07-28", [CAPABILITIES]: {} }),
	fc.record(
		{
			[VERSION]: fc.constantFrom("2026-07-28", "2025-11-25", "2099-01-01", 5),
			[CAPABILITIES]: fc.constantFrom({}, null),
			progressToken: fc.oneof(validId, json),
		},
		{ requiredKeys: [] },
	),
);
const params = fc.oneof(
	fc.record({ name: fc.constantFrom(...TOOLS), arguments: args, _meta: meta }, { requiredKeys: ["name"] }),
	fc.record(
		{ cursor: fc.oneof(fc.constantFrom("", "set", "hidden"), json), withUserTools: fc.oneof(fc.boolean(), json), _meta: meta },
		{ requiredKeys: [] },
	),
	fc.record(
		{ protocolVersion: fc.oneof(fc.constantFrom("2024-11-05", "2025-06-18", "2025-11-25"), json), capabilities: json, clientInfo: json },
		{ requiredKeys: [] },
	),
	fc.record({ requestId: validId, notifications: json, _meta: meta }, { requiredKeys: [] }),
	json,
);
const method = fc.oneof(
	{
		weight: 10,
		arbitrary: fc.constantFrom<unknown>(
			"initialize",
			"ping",
			"tools/list",
			"tools/call",
			"tools/call",
			"tools/call",
			"server/discover",
			"subscriptions/listen",
			"notifications/initialized",
			"notifications/cancelled",
			"resources/list",
		),
	},
	{ weight: 1, arbitrary: json },
);

/** A JSON-RPC message, mostly well-formed. */
export const message: fc.Arbitrary<unknown> = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.record(
			{ jsonrpc: fc.constant("2.0"), id: validId, method, params },
			{ requiredKeys: ["jsonrpc", "id", "method"] },
		) as fc.Arbitrary<unknown>,
	},
	{
		weight: 4,
		arbitrary: fc.record(
			{ jsonrpc: fc.oneof(fc.constant("2.0"), json), id: anyId, method, params, result: json, error: json },
			{ requiredKeys: [] },
		) as fc.Arbitrary<unknown>,
	},
	{ weight: 1, arbitrary: json },
);

/** Text on the wire: the message as JSON, or the same with a few characters changed, cut or doubled. */
export function bent(source: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
	const whole = source.map((value) => Buffer.from(JSON.stringify(value) ?? "null"));
	return fc.oneof(
		{ weight: 6, arbitrary: whole },
		{
			weight: 3,
			arbitrary: fc.tuple(whole, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 })).map(([bytes, changes]) => {
				const copy = Buffer.from(bytes);
				for (const [at, byte] of changes) if (copy.length) copy[at % copy.length] = byte;
				return copy;
			}),
		},
		{
			weight: 1,
			arbitrary: fc.tuple(whole, fc.nat(), fc.nat()).map(([bytes, from, to]) => bytes.subarray(from % (bytes.length + 1), to % (bytes.length + 1))),
		},
		{ weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
		{
			weight: 1,
			arbitrary: fc.tuple(fc.constantFrom("[", '{"a":', '[{"":'), fc.nat(3000)).map(([piece, count]) => Buffer.from(piece.repeat(count))),
		},
	);
}

/** What a request must be answered to: its id as JSON text; undefined when it must not be answered. */
export function expectedId(value: unknown): string | undefined {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
	const { id, method, result, error } = value as { [key: string]: unknown };
	if (method === undefined && (result !== undefined || error !== undefined)) return undefined;
	if (typeof id === "number" && Number.isSafeInteger(id)) return JSON.stringify(id);
	if (typeof id === "string" && Buffer.byteLength(id) <= 128) return JSON.stringify(id);
	return undefined;
}
