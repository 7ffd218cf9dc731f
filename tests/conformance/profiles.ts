// Backends as data: what each sends in which order, and what each needs in the replies. Facts from docs/protocol.md.

// biome-ignore lint/suspicious/noExplicitAny: messages are looked into freely
type Any = any;

/** One thing that a backend does. */
export type Step =
	/** Takes the device's hello. */
	| { readonly hello: true }
	/** Sends a frame as it is written here. */
	| { readonly send: Any }
	/** Takes the next message of the device and holds it against each condition, given in words. */
	| { readonly expect: { readonly [condition: string]: (message: Any) => unknown } }
	/** Lists again with the given cursor as long as the device gives one; the request is made from the cursor. */
	| { readonly page: (cursor: string) => Any };

export interface Profile {
	readonly name: string;
	/** Which form of the protocol: the envelope, or raw JSON-RPC on the endpoint. */
	readonly form: "envelope" | "endpoint";
	readonly steps: readonly Step[];
}

const envelope = (payload: Any, more: object = {}) => ({ ...more, type: "mcp", payload });
const rpc = (id: Any, method: string, params?: Any, more: object = {}) => ({
	jsonrpc: "2.0",
	id,
	method,
	...(params === undefined ? {} : { params }),
	...more,
});

const payloadOf = (message: Any) => (message.type === "mcp" ? message.payload : message);
const id = (expected: Any) => ({ [`the id ${JSON.stringify(expected)} in its type`]: (message: Any) => payloadOf(message).id === expected });
const noErrorMember = { "no error member, not even null": (message: Any) => !("error" in payloadOf(message)) };
const noResultMember = { "no result member, not even null": (message: Any) => !("result" in payloadOf(message)) };
const onlyRpcMembers = {
	"no member beside jsonrpc, id, result, error": (message: Any) =>
		Object.keys(payloadOf(message)).every((key) => ["jsonrpc", "id", "result", "error"].includes(key)),
};
const tools = {
	"tools with description and a complete inputSchema": (message: Any) =>
		payloadOf(message).result.tools.every(
			(tool: Any) =>
				typeof tool.description === "string" &&
				tool.inputSchema.type === "object" &&
				tool.inputSchema.properties &&
				Array.isArray(tool.inputSchema.required),
		),
	"names that stay different with _ for .": (message: Any) => {
		const names = payloadOf(message).result.tools.map((tool: Any) => tool.name.replaceAll(".", "_"));
		return new Set(names).size === names.length;
	},
	"nextCursor absent or a text": (message: Any) =>
		!("nextCursor" in payloadOf(message).result) || typeof payloadOf(message).result.nextCursor === "string",
	"at most 8192 bytes with the envelope": (message: Any) => message.payload === undefined || Buffer.byteLength(JSON.stringify(message)) <= 8192,
};
const result = {
	"a boolean isError": (message: Any) => typeof payloadOf(message).result.isError === "boolean",
	"a first item of type text": (message: Any) => payloadOf(message).result.content[0].type === "text",
	"no text that parses as an object with action": (message: Any) => {
		try {
			return !("action" in JSON.parse(payloadOf(message).result.content[0].text));
		} catch {
			return true;
		}
	},
};
const spoken = {
	"an integer code": (message: Any) => Number.isInteger(payloadOf(message).error.code),
	"one short sentence as its message": (message: Any) =>
		payloadOf(message).error.message.length < 200 && !payloadOf(message).error.message.includes("\n"),
	...noResultMember,
};
const revision = (expected: string) => ({
	[`protocolVersion ${expected}`]: (message: Any) => payloadOf(message).result.protocolVersion === expected,
});

const VISION = { vision: { url: "http://192.0.2.1/vision", token: "vision-token" } };

export const PROFILES: readonly Profile[] = [
	{
		name: "py (xiaozhi-esp32-server): no session_id, ids begin at 1 again and are reused, tools/list without params",
		form: "envelope",
		steps: [
			{ hello: true },
			{ send: { type: "hello", version: 1, transport: "websocket", session_id: "py-1", audio_params: { format: "opus", sample_rate: 24000 } } },
			{
				send: envelope(
					rpc(1, "initialize", {
						protocolVersion: "2024-11-05",
						capabilities: { roots: { listChanged: true }, sampling: {}, ...VISION },
						clientInfo: { name: "XiaozhiClient", version: "1.0.0" },
					}),
				),
			},
			{ send: envelope(rpc(2, "tools/list")) },
			{ expect: { ...id(1), ...revision("2024-11-05"), ...noErrorMember } },
			{ expect: { ...id(2), ...tools } },
			{ page: (cursor) => envelope(rpc(2, "tools/list", { cursor })) },
			{ send: envelope(rpc(3, "tools/call", { name: "test.acts", arguments: {} })) },
			{ expect: { ...id(3), ...result } },
			{ send: envelope(rpc(4, "tools/call", { name: "test.refuses", arguments: {} })) },
			{ expect: { ...id(4), ...spoken } },
			{ send: "这不是JSON" },
			{ send: { type: "tts", state: "start", session_id: "py-1" } },
			{ send: envelope(rpc(1, "initialize", { protocolVersion: "2024-11-05", capabilities: {} })) },
			{ expect: { ...id(1), ...noErrorMember } },
		],
	},
	{
		name: "go (xiaozhi-server-go): initialize before the hello, arguments null",
		form: "envelope",
		steps: [
			{
				send: envelope(rpc(1, "initialize", { protocolVersion: "2024-11-05", capabilities: VISION, clientInfo: { name: "go", version: "1" } }), {
					session_id: "go-1",
				}),
			},
			{ hello: true },
			{ expect: { ...id(1), ...noErrorMember, "the session id of the request": (message) => message.session_id === "go-1" } },
			{ send: { type: "hello", transport: "websocket", session_id: "go-1" } },
			{ send: envelope(rpc(2, "tools/list", { cursor: "" }), { session_id: "go-1" }) },
			{ expect: { ...id(2), ...tools } },
			{ page: (cursor) => envelope(rpc(2, "tools/list", { cursor }), { session_id: "go-1" }) },
			{ send: envelope(rpc(3, "tools/call", { name: "test.flash", arguments: null }), { session_id: "go-1" }) },
			{ expect: { ...id(3), ...result } },
		],
	},
	{
		name: "java (xiaozhi-esp32-server-java): sessionId, and null for result and error inside requests",
		form: "envelope",
		steps: [
			{ hello: true },
			{ send: { type: "hello", transport: "websocket", sessionId: "java-1" } },
			{
				send: {
					sessionId: "java-1",
					type: "mcp",
					payload: rpc(1, "initialize", { protocolVersion: "2024-11-05", capabilities: null }, { result: null, error: null }),
				},
			},
			{ expect: { ...id(1), ...noErrorMember } },
			{ send: { sessionId: "java-1", type: "mcp", payload: rpc(2, "tools/list", null, { result: null, error: null }) } },
			{ expect: { ...id(2), ...tools } },
			{ page: (cursor) => ({ sessionId: "java-1", type: "mcp", payload: rpc(2, "tools/list", { cursor }, { result: null, error: null }) }) },
			{
				send: {
					sessionId: "java-1",
					type: "mcp",
					payload: rpc(3, "tools/call", { name: "test.echo", arguments: { text: "音" } }, { result: null, error: null }),
				},
			},
			{ expect: { ...id(3), ...result } },
		],
	},
	{
		name: "gw (the MQTT gateway's messages): lists until nextCursor is gone, and pings",
		form: "envelope",
		steps: [
			{ send: envelope(rpc(1, "initialize", { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "gw", version: "1" } })) },
			{ hello: true },
			{ expect: { ...id(1), ...noErrorMember } },
			{ send: { type: "hello", version: 3, transport: "websocket", session_id: "gw-1" } },
			{ send: envelope({ jsonrpc: "2.0", method: "notifications/initialized" }) },
			{ send: envelope(rpc(2, "tools/list", { cursor: "" })) },
			{ expect: { ...id(2), ...tools } },
			{ page: (cursor) => envelope(rpc(3, "tools/list", { cursor })) },
			{ send: envelope(rpc("ping-1", "ping")) },
			{ expect: { ...id("ping-1"), "an empty result": (message) => JSON.stringify(payloadOf(message).result) === "{}" } },
		],
	},
	{
		name: "mes (mcp-endpoint-server): raw, pipelined, again for each caller session, string ids",
		form: "endpoint",
		steps: [
			...["6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6ba7b811-9dad-11d1-80b4-00c04fd430c8"].flatMap((caller): Step[] => [
				{
					send: rpc(`${caller}_n_0`, "initialize", {
						protocolVersion: "2024-11-05",
						capabilities: { sampling: {}, roots: { listChanged: true } },
						clientInfo: { name: "mes", version: "1" },
					}),
				},
				{ send: { jsonrpc: "2.0", method: "notifications/initialized" } },
				{ send: rpc(`${caller}_n_1`, "tools/list") },
				{ expect: { ...id(`${caller}_n_0`), ...noErrorMember, ...onlyRpcMembers } },
				{ expect: { ...id(`${caller}_n_1`), ...tools, ...onlyRpcMembers } },
				{ page: (cursor) => rpc(`${caller}_n_2`, "tools/list", { cursor }) },
				{ send: rpc(`${caller}_n_3`, "tools/call", { name: "test.echo", arguments: { text: "hi" } }) },
				{ expect: { ...id(`${caller}_n_3`), ...result, ...onlyRpcMembers } },
			]),
		],
	},
	{
		name: "the backend of seed 003: protocolVersion 0.1.0, notifications/initialized after the result, ids by itself",
		form: "endpoint",
		steps: [
			{
				send: rpc(1, "initialize", {
					protocolVersion: "0.1.0",
					capabilities: { sampling: {}, roots: { listChanged: true } },
					clientInfo: { name: "espbot-server", version: "0.1.0" },
				}),
			},
			{ expect: { ...id(1), "a protocolVersion": (message) => typeof message.result.protocolVersion === "string", ...onlyRpcMembers } },
			{ send: { jsonrpc: "2.0", method: "notifications/initialized" } },
			{ send: rpc(2, "tools/list") },
			{ expect: { ...id(2), ...tools } },
			{ page: (cursor) => rpc(2, "tools/list", { cursor }) },
			{ send: rpc(3, "tools/call", { name: "self.audio_speaker.set_volume", arguments: { volume: 50.0 } }) },
			{ expect: { ...id(3), ...result } },
		],
	},
	...(["2024-11-05", "2025-06-18", "2025-11-25"] as const).map(
		(version): Profile => ({
			name: `a strict client of ${version}: rejects every member and null that its revision does not name`,
			form: "endpoint",
			steps: [
				{ send: rpc(0, "initialize", { protocolVersion: version, capabilities: {}, clientInfo: { name: "strict", version: "1" } }) },
				{ expect: { ...id(0), ...revision(version), ...onlyRpcMembers } },
				{ send: { jsonrpc: "2.0", method: "notifications/initialized" } },
				{ send: rpc(1, "ping") },
				{ expect: { ...id(1), "an empty result": (message) => JSON.stringify(message.result) === "{}" } },
				{ send: rpc(2, "tools/list", {}) },
				{ expect: { ...id(2), ...tools, ...onlyRpcMembers, "no null anywhere": (message) => !JSON.stringify(message).includes("null") } },
				{ page: (cursor) => rpc(3, "tools/list", { cursor }) },
				{ send: rpc(4, "tools/call", { name: "no.such.tool", arguments: {} }) },
				{ expect: { ...id(4), "the error −32602": (message) => message.error.code === -32602, ...noResultMember, ...onlyRpcMembers } },
				{ send: rpc(5, "tools/call", { name: "test.refuses", arguments: {} }) },
				{
					expect: {
						...id(5),
						// The Python server reads a failure of the oldest revision only as an error.
						...(version === "2024-11-05"
							? { "an error that says why": (message: Any) => message.error.message.length > 0 }
							: { "isError true": (message: Any) => message.result.isError === true }),
						...onlyRpcMembers,
					},
				},
			],
		}),
	),
	{
		name: "a strict client of 2026-07-28: no initialize, _meta in every request",
		form: "endpoint",
		steps: [
			{
				send: rpc(0, "server/discover", {
					_meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} },
				}),
			},
			{
				expect: {
					...id(0),
					"resultType complete": (message) => message.result.resultType === "complete",
					"the revision among supportedVersions": (message) => message.result.supportedVersions.includes("2026-07-28"),
					...onlyRpcMembers,
				},
			},
			{
				send: rpc(1, "tools/call", {
					name: "test.echo",
					arguments: { text: "hi" },
					_meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} },
				}),
			},
			{ expect: { ...id(1), ...result, "resultType complete": (message) => message.result.resultType === "complete", ...onlyRpcMembers } },
			{ send: rpc(2, "tools/list", {}) },
			{ expect: { ...id(2), ...tools, "the legacy era without _meta": (message) => !("resultType" in message.result) } },
		],
	},
];
