// JSON-RPC 2.0: error codes and the form of ids.

import { utf8Length } from "./schema.js";

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** The headers of an HTTP request contradict its body (2026-07-28). */
export const HEADER_MISMATCH = -32020;
/** The protocol revision in `_meta` is none that the server speaks (2026-07-28). */
export const UNSUPPORTED_VERSION = -32022;
/** The tool failed and said why. */
export const TOOL_FAILED = -32000;
/** As many calls are running as the server takes. */
export const BUSY = -32001;

const { isSafeInteger } = Number;

/** The longest string id that is answered, in bytes of UTF-8. */
export const MAX_ID_BYTES = 128;

/**
 * The id of a request as JSON text, of the type in which it came.
 * @returns undefined for what cannot be an id: null, other types, fractions, numbers that lose digits, a string over `MAX_ID_BYTES`
 */
export function idText(id: unknown): string | undefined {
	if (typeof id === "number") return isSafeInteger(id) ? String(id) : undefined;
	if (typeof id === "string" && id.length <= MAX_ID_BYTES && (id.length * 3 <= MAX_ID_BYTES || utf8Length(id) <= MAX_ID_BYTES))
		return JSON.stringify(id);
}

/** What the specification calls its own notifications, behind `notifications/`; all others of it have another slash. */
const SPECIFIED: readonly string[] = Object.freeze(["cancelled", "initialized", "message", "progress"]);

/** May a board call an event of its own so? Not by a name that the specification has. */
export function isOwnEvent(name: string): boolean {
	return !name.includes("/") && !SPECIFIED.includes(name);
}

/** The names of the members of a `tools/call`, and of the one by which it is known to have more of them. */
export const CALL_NAMES: readonly string[] = Object.freeze(["jsonrpc", "id", "method", "params", "name", "arguments", "_meta"]);

/** The names of the members that are looked for in an MCP message, of every revision. */
export const MCP_NAMES: readonly string[] = Object.freeze([
	...CALL_NAMES,
	"result",
	"error",
	"cursor",
	"withUserTools",
	"progressToken",
	"requestId",
	"protocolVersion",
	"capabilities",
	"vision",
	"url",
	"token",
	"notifications",
	"toolsListChanged",
	"resourceSubscriptions",
	"uri",
	"io.modelcontextprotocol/protocolVersion",
	"io.modelcontextprotocol/clientCapabilities",
]);
