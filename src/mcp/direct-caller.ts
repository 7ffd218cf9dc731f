// Tool calls for a peer that does not speak JSON-RPC.

import { toData } from "./content.js";
import type { Host, Peer } from "./host.js";
import { MAX_OUTBOUND_BYTES } from "./json-rpc-writer.js";
import { NO_RIGHTS, type Rights } from "./rights.js";
import { Call, RunningCalls } from "./running-calls.js";
import { describe, utf8Length } from "./schema.js";
import { clip, describeError } from "./text.js";
import type { Tool } from "./tool.js";
import { tooLarge } from "./tool-reply.js";

/** What became of a call outside of JSON-RPC. */
export type CallOutcome =
	| {
			/** What the tool returned, as JSON text. */
			readonly data: string;
	  }
	| {
			/** Why it failed: one sentence. */
			readonly error: string;
	  };

/** The rest of a message is for what its session puts around the data. */
const MAX_DATA_BYTES = MAX_OUTBOUND_BYTES - 320;

export interface DirectCallerOptions {
	/** Those of any peer where they are not given. */
	readonly rights?: Rights | undefined;
	/** The list of tools has changed. */
	readonly onListChanged?: (() => void) | undefined;
}

/** Calls tools for one peer. Made by `McpServer.openDirect`. */
export class DirectCaller<B> implements Peer {
	readonly #host: Host<B>;
	readonly #calls: RunningCalls<B>;
	readonly #rights: Rights;
	readonly #onListChanged: (() => void) | undefined;
	#open = true;

	constructor(host: Host<B>, { rights = NO_RIGHTS, onListChanged }: DirectCallerOptions) {
		this.#host = host;
		this.#calls = new RunningCalls(host);
		this.#rights = rights;
		this.#onListChanged = onListChanged;
	}

	/**
	 * Calls a tool with everything that `tools/call` does: the arguments are checked, the time is limited. It never throws.
	 * @param args an object; undefined and null are taken for an empty one
	 * @param answer is called once, perhaps at once; not after `close`
	 */
	call(name: unknown, args: unknown, answer: (outcome: CallOutcome) => void): void {
		if (!this.#open) return;
		const failed = (error: string) => answer({ error });
		try {
			if (typeof name !== "string") return failed(`name must be a string, got ${describe(name)}`);
			const rights = this.#rights;
			const tool = this.#host.find(name, rights.userTools);
			if (!tool) return failed(`Unknown tool: ${clip(name)}`);
			const refused = rights.refusal?.(tool.name);
			if (refused !== undefined) return failed(refused);
			this.#calls.start(new DirectCall(tool, answer), args);
		} catch (error) {
			this.#host.log(`mcp: ${describeError(error)}`);
			failed("Internal error");
		}
	}

	/** Such a peer takes no notifications. */
	notify(): boolean {
		return false;
	}

	listChanged(): void {
		this.#onListChanged?.();
	}

	/** Running calls are cancelled and their results dropped. May be called twice. */
	close(): void {
		if (!this.#open) return;
		this.#open = false;
		this.#calls.close();
		this.#host.closed(this);
	}
}

class DirectCall<B> extends Call<B> {
	readonly #answer: (outcome: CallOutcome) => void;

	constructor(tool: Tool<B>, answer: (outcome: CallOutcome) => void) {
		super(tool);
		this.#answer = answer;
	}

	returned(value: unknown): void {
		const data = toData(value);
		const bytes = data.length * 3 > MAX_DATA_BYTES ? utf8Length(data) : 0;
		if (bytes > MAX_DATA_BYTES) throw tooLarge(this.tool.name, bytes, MAX_OUTBOUND_BYTES);
		this.#answer({ data });
	}

	failed(_code: number, message: string): void {
		this.#answer({ error: message });
	}
}
