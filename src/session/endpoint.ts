// The MCP endpoint: raw JSON-RPC over a WebSocket that the device opens to a URL with a token (seed 003).

import { Timeout } from "../base/timers.js";
import type { Conversation } from "../mcp/conversation.js";
import { type Dialect, STANDARD } from "../mcp/dialect.js";
import { PARSE_ERROR } from "../mcp/json-rpc.js";
import type { Rights } from "../mcp/rights.js";
import type { McpServer } from "../mcp/server.js";
import type { Connect } from "../transports/transport.js";
import { type JsonMessage, refusedId } from "./message-parser.js";
import { type ConnectionUser, ReconnectingConnection } from "./reconnecting-connection.js";
import type { SessionCallbacks } from "./session-manager.js";

export const MINIMUM_ENDPOINT_RECONNECT_MS = 1000;
export const MAXIMUM_ENDPOINT_RECONNECT_MS = 600_000;
/**
 * A connection on which nothing comes for so long after it opened is replaced, and the next one after twice as long, up to the
 * maximum: after a power cut mcp-endpoint-server answers pings on a connection that it hands no message to.
 */
export const DEAF_MS = 90_000;
export const MAXIMUM_DEAF_MS = 600_000;

/**
 * Standard MCP as the servers behind endpoints take it: at 2024-11-05 the Python server reads errors only and loses the text of
 * `isError`, it runs an `action` that it finds in a result, and for mcp-endpoint-server every notification is an error in its log.
 */
export const ENDPOINT: Dialect = Object.freeze({ ...STANDARD, rpcErrorsUpTo: "2024-11-05", guardsAction: true });

export interface EndpointSessionOptions<B> {
	server: McpServer<B>;
	connect: Connect;
	/** What the peer may do; what any peer may where it is not given. */
	rights?: Rights | undefined;
	/** Stands in place of `self` in the names of the tools, where several devices share the endpoint. */
	prefix?: string | undefined;
	/** What the log calls this connection. */
	name?: string;
	log?: (line: string) => void;
	/** A number from 0 up to 1, for the jitter; `Math.random` where it is not given. */
	random?: () => number;
	/** Hears that the session goes up (with the first request that has a result) or down, and why a connection was lost or could not be made. */
	callbacks?: Partial<SessionCallbacks>;
}

const LIMITS = Object.freeze({ minimumMs: MINIMUM_ENDPOINT_RECONNECT_MS, maximumMs: MAXIMUM_ENDPOINT_RECONNECT_MS });

/** A session with an MCP endpoint, from `start` to `close`; it connects again by itself, after the old connection is closed. */
export class EndpointSession<B = unknown> implements ConnectionUser {
	private readonly options: EndpointSessionOptions<B>;
	private readonly connection: ReconnectingConnection;
	private conversation: Conversation<B> | undefined;
	private ready = false;
	/** Until the first message. */
	private deaf: Timeout | undefined;
	/** How many connections in a row brought no message. */
	private deafTimes = 0;

	constructor(options: EndpointSessionOptions<B>) {
		const { connect, random, server } = options;
		this.options = options;
		this.connection = new ReconnectingConnection(this, connect, server, LIMITS, random);
	}

	/** See `ConnectionUser`. */
	get name(): string {
		return this.options.name ?? "endpoint";
	}

	get log(): (line: string) => void {
		return this.options.log ?? this.options.server.log;
	}

	onOpen(): void {
		const { prefix, rights, server } = this.options;
		const dialect = prefix ? { ...ENDPOINT, prefix } : ENDPOINT;
		this.conversation = server.open({ dialect, rights, log: this.log }, this.connection);
		this.deaf = new Timeout(server.timers);
		this.deaf.set(Math.min(DEAF_MS * 2 ** this.deafTimes, MAXIMUM_DEAF_MS), () => this.renew());
	}

	onJson(message: JsonMessage): void {
		if (this.deaf) this.hears(this.deaf);
		const { conversation } = this;
		if (!conversation) return;
		conversation.receive(message.value, undefined, message);
		if (this.ready || !conversation.answered) return;
		// A bad token is let in first and closed then, and anybody can send JSON: only such a request shows that this is the right peer.
		this.connection.resetBackoff();
		this.ready = true;
		this.options.callbacks?.onReady?.(true);
	}

	/** The first message has come. */
	private hears(deaf: Timeout): void {
		deaf.clear();
		this.deaf = undefined;
		this.deafTimes = 0;
	}

	onUnreadable(problem: string): void {
		this.conversation?.refuse(PARSE_ERROR, problem);
	}

	onRefused(bytes: Uint8Array, problem: string): void {
		this.conversation?.refuseUnread(refusedId(bytes), problem);
	}

	onClose(): void {
		this.deaf?.clear();
		this.deaf = undefined;
		this.conversation?.close();
		this.conversation = undefined;
		if (!this.ready) return;
		this.ready = false;
		this.options.callbacks?.onReady?.(false);
	}

	onLost(reason: string): void {
		this.options.callbacks?.onLost?.(reason);
	}

	/** @throws TypeError or RangeError for settings that can never work */
	start(): void {
		this.connection.start();
	}

	/** Perhaps nobody calls, perhaps the server is deaf to this connection: a new one tells. It stayed open, so it is wanted. */
	private renew(): void {
		const quiet = this.deafTimes > 0;
		this.deafTimes++;
		this.connection.resetBackoff();
		this.connection.reconnect(`no message within ${DEAF_MS / 1000} s; from now on a new connection is tried now and then, without a word`, quiet);
	}

	/** Ends the session for good. May be called twice. */
	close(): void {
		// As long as something can still be sent.
		this.conversation?.close();
		this.connection.close();
	}
}
