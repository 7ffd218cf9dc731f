// What sessions may do differently: how errors are told, when notifications begin.

/** The rules that differ between standard MCP and what some backends expect. */
export interface Dialect {
	/** The JSON-RPC code for a call of a tool that is not there. */
	readonly unknownToolCode: number;
	/** The newest revision at which a failing call is a JSON-RPC error, "" for none. Later it is a result with `isError: true`. */
	readonly rpcErrorsUpTo: string;
	/** Puts a failure into the words that a user hears; the original then goes out as the error's `data`. English where it is not given. */
	readonly spoken?: ((code: number) => string) | undefined;
	/** Must a result never be a JSON object with a top-level `action`? Some backends run that as a command of theirs. */
	readonly guardsAction: boolean;
	/** Do notifications wait until the client is initialized? Otherwise the session says when (after the hello). */
	readonly listensAfterInitialize: boolean;
	/**
	 * Are arguments refused that the tool does not declare? Otherwise they are ignored, and numbers may come as text: a refusal
	 * is spoken to a person there.
	 */
	readonly strictArguments: boolean;
	/** Is a message without a usable id answered with `"id":null`? Otherwise it is ignored: some backends echo text. */
	readonly answersWithoutId: boolean;
	/**
	 * Is a peer told of the device's own events? The specification has no such notifications: otherwise it is told of changes of the
	 * list and of what it has subscribed to.
	 */
	readonly tellsEvents: boolean;
	/**
	 * Are tools listed under names that model APIs take (`self_light_set_rgb`), with all that the specification has for them?
	 * Otherwise they keep their dots, and title, hints and output schema are for revisions that have these.
	 */
	readonly foldsNames: boolean;
	/** Stands in place of `self` in the folded names, where several devices share a peer; "" for `self`. */
	readonly prefix: string;
	/** The most bytes of UTF-8 that the tools on one page of `tools/list` may take. */
	readonly pageBytes: number;
	/** The most bytes of a result at revisions without rich results; 65,536 later. */
	readonly maxResultBytes: number;
	/** The device's capabilities as JSON text. */
	readonly capabilities: string;
}

/** Standard MCP: HTTP and stdio (modelcontextprotocol.io, server/tools). */
export const STANDARD: Dialect = Object.freeze({
	unknownToolCode: -32602,
	rpcErrorsUpTo: "",
	guardsAction: false,
	listensAfterInitialize: true,
	strictArguments: true,
	answersWithoutId: true,
	tellsEvents: false,
	foldsNames: true,
	prefix: "",
	pageBytes: 64_000,
	maxResultBytes: 65_536,
	capabilities: '{"tools":{"listChanged":true}}',
});

/** The first revision with titles, output schemas and structured results. */
const RICH_REVISION = "2025-06-18";

/** The most bytes that a result of that revision may have. */
export function maxResultBytes(dialect: Dialect, revision: string): number {
	return isFull(dialect, revision) ? STANDARD.maxResultBytes : dialect.maxResultBytes;
}

/** Does a request of that revision get titles, hints, output schemas and structured results? */
export function isFull({ foldsNames }: Dialect, revision: string): boolean {
	return foldsNames || revision >= RICH_REVISION;
}
