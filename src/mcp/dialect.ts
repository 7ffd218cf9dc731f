// How a conversation says what went wrong: the one place where the envelope and the specification part ways.

/** The rules that differ between the xiaozhi envelope and standard MCP. */
export interface Dialect {
	readonly name: string;
	/** The JSON-RPC code for a call of a tool that is not there. */
	readonly unknownToolCode: number;
	/** Is a failing call a JSON-RPC error? Otherwise it is a result with `isError: true`. */
	readonly failureIsRpcError: boolean;
	/** May user-only tools be called by a peer that has not listed them with `withUserTools`? */
	readonly userToolsCallable: boolean;
	/** Must a result never be a JSON object with a top-level `action`? Some backends run that as a command of theirs. */
	readonly guardsAction: boolean;
	/** Do notifications wait until the client is initialized? Otherwise the session says when (after the hello). */
	readonly listensAfterInitialize: boolean;
	/** The device's capabilities as JSON text. */
	readonly capabilities: string;
}

/** The xiaozhi envelope over WebSocket and MQTT (seeds 000, 002, 004). */
export const ENVELOPE: Dialect = Object.freeze({
	name: "envelope",
	unknownToolCode: -32601,
	failureIsRpcError: true,
	userToolsCallable: true,
	guardsAction: true,
	listensAfterInitialize: false,
	capabilities: '{"tools":{}}',
});

/** A service that calls tools without JSON-RPC, through `Conversation.call` (seed 001). */
export const DIRECT: Dialect = Object.freeze({
	name: "direct",
	unknownToolCode: -32602,
	failureIsRpcError: true,
	userToolsCallable: false,
	guardsAction: false,
	listensAfterInitialize: false,
	capabilities: "{}",
});

/** Standard MCP: the endpoint, HTTP and stdio (modelcontextprotocol.io, server/tools). */
export const STANDARD: Dialect = Object.freeze({
	name: "standard",
	unknownToolCode: -32602,
	failureIsRpcError: false,
	userToolsCallable: false,
	guardsAction: false,
	listensAfterInitialize: true,
	capabilities: '{"tools":{"listChanged":true}}',
});
