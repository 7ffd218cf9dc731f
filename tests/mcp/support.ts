// A conversation without a transport: messages in as objects, replies out as parsed JSON, time under the test's control.

import type { Conversation } from "../../src/mcp/conversation.js";
import type { Dialect } from "../../src/mcp/dialect.js";
import type { Rights } from "../../src/mcp/rights.js";
import { McpServer, type McpServerOptions } from "../../src/mcp/server.js";
import type { ToolList } from "../../src/mcp/tool-list.js";
import { ENVELOPE } from "../../src/session/envelope.js";

/** Timers that fire only when the test moves the time on. */
export class ManualTimers {
	now = 0;
	#timers = new Map<object, { at: number; callback: () => void }>();

	set(callback: () => void, delay = 0): object {
		const timer = {};
		this.#timers.set(timer, { at: this.now + delay, callback });
		return timer;
	}

	clear(timer: unknown): void {
		this.#timers.delete(timer as object);
	}

	/** How many timers wait. */
	get size(): number {
		return this.#timers.size;
	}

	/** When the next timer is due, from now, in milliseconds. */
	get next(): number | undefined {
		return this.#timers.size ? Math.min(...[...this.#timers.values()].map(({ at }) => at)) - this.now : undefined;
	}

	advance(milliseconds: number): void {
		const end = this.now + milliseconds;
		for (;;) {
			const due = [...this.#timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
			if (!due) break;
			this.now = due[1].at;
			this.#timers.delete(due[0]);
			due[1].callback();
		}
		this.now = end;
	}
}

export interface Peer<B> {
	server: McpServer<B>;
	conversation: Conversation<B>;
	timers: ManualTimers;
	/** Everything that was sent, as text. */
	sent: string[];
	/** What the server logged. */
	logged: string[];
	/** Everything that was sent, parsed. */
	// biome-ignore lint/suspicious/noExplicitAny: replies are looked into freely
	replies(): any[];
	/** Sends a request and returns the newest message that came back, or undefined. */
	// biome-ignore lint/suspicious/noExplicitAny: replies are looked into freely
	ask(method: unknown, params?: unknown, id?: unknown): any;
	/** Calls a tool by `ask`. */
	// biome-ignore lint/suspicious/noExplicitAny: replies are looked into freely
	call(name: string, args?: unknown): any;
}

/** A server with one conversation. */
export function createPeer<B>(
	board: B,
	tools?: ToolList<B>,
	dialect: Dialect = ENVELOPE,
	options: Partial<McpServerOptions<B>> & { rights?: Rights } = {},
): Peer<B> {
	// The main session has the user-only tools, as in the reference.
	const { rights = { userTools: dialect === ENVELOPE } } = options;
	const timers = new ManualTimers();
	const sent: string[] = [];
	const logged: string[] = [];
	const server = new McpServer<B>({
		name: "test",
		version: "1.0",
		board,
		timers,
		log: (line) => logged.push(line),
		...(tools ? { tools } : {}),
		...options,
	});
	const conversation = server.open({ dialect, rights, send: (text) => sent.push(text) });
	const ask = (method: unknown, params?: unknown, id: unknown = 1) => {
		const before = sent.length;
		conversation.receive(JSON.parse(JSON.stringify({ jsonrpc: "2.0", id, method, params })));
		return sent.length > before ? JSON.parse(sent.at(-1) as string) : undefined;
	};
	return {
		server,
		conversation,
		timers,
		sent,
		logged,
		replies: () => sent.map((text) => JSON.parse(text)),
		ask,
		call: (name, args) => ask("tools/call", { name, arguments: args }),
	};
}

/** Lets every promise that can settle do so. */
export async function settle(): Promise<void> {
	for (let i = 0; i < 10; i++) await Promise.resolve();
}
