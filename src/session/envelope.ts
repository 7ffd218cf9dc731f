// The envelope of the xiaozhi family around MCP, and how its backends differ from the specification (seeds 000, 002, 004).

import type { Dialect } from "../mcp/dialect.js";
import { BUSY, INVALID_PARAMS, TOOL_FAILED } from "../mcp/json-rpc.js";
import { MAX_OUTBOUND_BYTES } from "../mcp/json-rpc-writer.js";

export const ENVELOPE: Dialect = Object.freeze({
	unknownToolCode: -32601,
	// At every revision.
	rpcErrorsUpTo: "9999",
	guardsAction: true,
	listensAfterInitialize: false,
	strictArguments: false,
	answersWithoutId: false,
	tellsEvents: true,
	foldsNames: false,
	prefix: "",
	// A message is at most 8000 bytes in the reference.
	pageBytes: 7488,
	maxResultBytes: MAX_OUTBOUND_BYTES,
	capabilities: '{"tools":{}}',
});

/** The same for a user who speaks Chinese: what fails is read aloud. */
export const CHINESE_ENVELOPE: Dialect = Object.freeze({
	...ENVELOPE,
	spoken(code: number) {
		switch (code) {
			case ENVELOPE.unknownToolCode:
				return "设备没有这个功能";
			case INVALID_PARAMS:
				return "参数不正确";
			case BUSY:
				return "设备正忙，请稍后再试";
			case TOOL_FAILED:
				return "操作没有成功";
			default:
				return "设备出错了";
		}
	},
});

/** The names of the members around an MCP message. */
export const AROUND_NAMES: readonly string[] = Object.freeze(["type", "session_id", "sessionId", "payload"]);
/** And of the envelope's other messages. */
export const ENVELOPE_NAMES: readonly string[] = Object.freeze([...AROUND_NAMES, "command", "state", "text", "emotion"]);

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
