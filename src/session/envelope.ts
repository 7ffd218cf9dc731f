// The envelope of the xiaozhi family around MCP, and how its backends differ from the specification (seeds 000, 002, 004).

import type { Dialect } from "../mcp/dialect.js";

export const ENVELOPE: Dialect = Object.freeze({
	unknownToolCode: -32601,
	failureIsRpcError: true,
	guardsAction: true,
	listensAfterInitialize: false,
	answersWithoutId: false,
	capabilities: '{"tools":{}}',
});

/** The names of the envelope's members. */
export const ENVELOPE_NAMES: readonly string[] = Object.freeze(["type", "session_id", "sessionId", "payload", "command", "state", "text", "emotion"]);

/**
 * What stands before an MCP message.
 * @param sessionId as JSON text
 */
export function envelopeHead(sessionId: string | undefined): string {
	return sessionId === undefined ? '{"type":"mcp","payload":' : `{"session_id":${sessionId},"type":"mcp","payload":`;
}

/** What stands after it. */
export const ENVELOPE_TAIL = "}";

/** The names of the members of the service's JSON messages. */
export const FRAMED_NAMES: readonly string[] = Object.freeze(["type", "data", "call_id", "method", "params"]);
