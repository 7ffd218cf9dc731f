// What sessions may do differently: how errors are told, when notifications begin.

/** The rules that differ between standard MCP and what some backends expect. */
export interface Dialect {
	/** The JSON-RPC code for a call of a tool that is not there. */
	readonly unknownToolCode: number;
	/** Is a failing call a JSON-RPC error? Otherwise it is a result with `isError: true`. */
	readonly failureIsRpcError: boolean;
	/** Must a result never be a JSON object with a top-level `action`? Some backends run that as a command of theirs. */
	readonly guardsAction: boolean;
	/** Do notifications wait until the client is initialized? Otherwise the session says when (after the hello). */
	readonly listensAfterInitialize: boolean;
	/** Is a message without a usable id answered with `"id":null`? Otherwise it is ignored: some backends echo text. */
	readonly answersWithoutId: boolean;
	/** The device's capabilities as JSON text. */
	readonly capabilities: string;
}

/** Standard MCP: the endpoint, HTTP and stdio (modelcontextprotocol.io, server/tools). */
export const STANDARD: Dialect = Object.freeze({
	unknownToolCode: -32602,
	failureIsRpcError: false,
	guardsAction: false,
	listensAfterInitialize: true,
	answersWithoutId: true,
	capabilities: '{"tools":{"listChanged":true}}',
});
