// The framed service of seed 001: authorisation, heartbeat, and tools offered and called as services.

import { Heartbeat, type Watched } from "../base/heartbeat.js";
import { findScalar } from "../base/json.js";
import { Timeout } from "../base/timers.js";
import type { CallOutcome, DirectCaller } from "../mcp/direct-caller.js";
import { idText } from "../mcp/json-rpc.js";
import type { Rights } from "../mcp/rights.js";
import { isObject } from "../mcp/schema.js";
import type { McpServer } from "../mcp/server.js";
import type { Connect } from "../transports/transport.js";
import { FRAMED_NAMES } from "./envelope.js";
import { MessageParser } from "./message-parser.js";
import { type ConnectionUser, ReconnectingConnection } from "./reconnecting-connection.js";
import type { SessionCallbacks } from "./session-manager.js";

/** What stands before and behind each frame: what `createTcpTransport` is given. */
export const FRAME_HEAD = "##START";
export const FRAME_TAIL = "##END";
/** The service has to answer the authorisation within this time. */
export const AUTH_TIMEOUT_MS = 5000;
/** A ping goes out this often; a service that sends nothing between two of them is given up. It ends what is idle for 5 minutes. */
export const HEARTBEAT_MS = 45_000;
export const MINIMUM_FRAMED_RECONNECT_MS = 1000;
export const MAXIMUM_FRAMED_RECONNECT_MS = 60_000;

export interface FramedSessionOptions<B> {
	server: McpServer<B>;
	connect: Connect;
	/** What the peer may do; what any peer may where it is not given. */
	rights?: Rights | undefined;
	/** A JSON Web Token, sent as it is. */
	token: string;
	/** The voice that the service speaks with. */
	voiceId?: string | undefined;
	/** Such as "zh". */
	language?: string | undefined;
	/** What the log calls this connection; "framed" where it is not given. */
	name?: string;
	log?: (line: string) => void;
	/** A number from 0 up to 1, for the jitter; `Math.random` where it is not given. */
	random?: () => number;
	/** Hears that the session goes up (when the tools are registered) or down, and why a connection was lost or could not be made. */
	callbacks?: Partial<SessionCallbacks>;
}

/** The kinds of frames that matter here. */
const AUTH = 1;
const STATUS = 5;
const MCP = 6;

const AUTH_TASK = "00000000";
const MCP_TASK = "mcp00001";
const SEQUENCE = "0000";
const TASK_BYTES = 8;
const SEQUENCE_DIGITS = 4;
const OPENING_BRACKET = 0x5b;
/** Where a call's id stands. */
const CALL_ID: readonly string[] = Object.freeze(["data", "call_id"]);

const LIMITS = Object.freeze({ minimumMs: MINIMUM_FRAMED_RECONNECT_MS, maximumMs: MAXIMUM_FRAMED_RECONNECT_MS });

/** A session with a framed service, from `start` to `close`; it connects again by itself. */
export class FramedSession<B = unknown> implements ConnectionUser, Watched {
	readonly name: string;
	readonly log: (line: string) => void;
	readonly #options: FramedSessionOptions<B>;
	readonly #connection: ReconnectingConnection;
	readonly #parser = new MessageParser();
	readonly #authTimeout: Timeout;
	readonly #heartbeat: Heartbeat;
	#caller: DirectCaller<B> | undefined;
	#ready = false;

	/** @throws TypeError for a token or a setting that would break the frame that carries it */
	constructor(options: FramedSessionOptions<B>) {
		const { token, voiceId = "", language = "" } = options;
		if (!token) throw new TypeError("the framed service needs a token");
		for (const [what, text] of [
			["token", token],
			["voice id", voiceId],
			["language", language],
		] as const)
			if (typeof text !== "string" || text.includes("##")) throw new TypeError(`the ${what} of the framed service must be a string without ##`);
		this.#options = options;
		this.log = options.log ?? options.server.log;
		this.name = options.name ?? "framed";
		const { timers } = options.server;
		this.#authTimeout = new Timeout(timers);
		this.#heartbeat = new Heartbeat(this, timers, HEARTBEAT_MS, true);
		options.server.addNames(FRAMED_NAMES);
		this.#connection = new ReconnectingConnection(this, options.connect, options.server, LIMITS, options.random);
	}

	onLost(reason: string): void {
		this.#options.callbacks?.onLost?.(reason);
	}

	onRefused(head: Uint8Array, problem: string): void {
		if (head[0] === MCP) this.refuse(head.subarray(bodyStart(head)), problem);
	}

	/** See `Watched`. */
	ping(): void {
		this.send(STATUS, AUTH_TASK, "##PING");
	}

	onSilent(): void {
		this.#connection.reconnect(`no frame from the service for ${HEARTBEAT_MS / 1000} s`);
	}

	/** Are the tools registered? */
	get ready(): boolean {
		return this.#ready;
	}

	/** @throws TypeError or RangeError for settings that can never work */
	start(): void {
		this.#connection.start();
	}

	/** Ends the session for good. May be called twice. */
	close(): void {
		this.send(STATUS, AUTH_TASK, "##DISCONNECT");
		this.#connection.close();
	}

	onOpen(): void {
		const { server, rights, token, voiceId, language } = this.#options;
		this.#caller = server.openDirect({
			rights,
			onListChanged: () => {
				if (this.#ready) this.register();
			},
		});
		this.send(AUTH, AUTH_TASK, `${token}##voiceid:${voiceId ?? ""}##lang:${language ?? ""}##format:pcm`);
		this.#authTimeout.set(AUTH_TIMEOUT_MS, () => this.#connection.reconnect(`no answer to the authorisation within ${AUTH_TIMEOUT_MS / 1000} s`));
	}

	/** A frame: kind (1 byte), task (8), sequence (4 digits, perhaps in brackets), body. */
	onMessage(bytes: Uint8Array): void {
		this.#heartbeat.alive = true;
		const kind = bytes[0];
		const from = bodyStart(bytes);
		if (bytes.byteLength < from) return this.log(`${this.name}: ignored a frame of ${bytes.byteLength} bytes`);
		// Voice and text are for others.
		if (kind !== AUTH && kind !== STATUS && kind !== MCP) return;
		const body = bytes.subarray(from);
		if (kind === MCP) {
			const message = this.#parser.parse(body, this.#options.server, false);
			if ("value" in message) this.message(message.value);
			else {
				this.log(`${this.name}: ignored ${message.problem}`);
				if (message.refused) this.refuse(body, message.problem);
			}
			return;
		}
		const { text, problem } = this.#parser.decode(body);
		if (text === undefined) this.log(`${this.name}: ignored ${problem}`);
		else if (text === "##PING") this.send(STATUS, AUTH_TASK, "##INFO:PONG");
		else if (!this.#ready) this.authorised(text);
		else if (text === "##DISCONNECT") this.#connection.reconnect("the service ended the session");
	}

	/** The first answer to the authorisation; what it looks like is not written down anywhere. */
	private authorised(answer: string): void {
		const words = answer.toLowerCase();
		if (answer === "##DISCONNECT" || REFUSAL.some((word) => words.includes(word))) {
			this.#connection.reconnect(`the service refused: ${JSON.stringify(answer.slice(0, 100))}; is the token right?`);
			return;
		}
		this.#connection.resetBackoff();
		this.#ready = true;
		this.#authTimeout.clear();
		this.register();
		this.#heartbeat.start();
		this.log(`${this.name}: ready`);
		this.#options.callbacks?.onReady?.(true);
	}

	private message(message: unknown): void {
		if (!isObject(message) || message.type !== "call") return;
		const data = message.data;
		const id = isObject(data) ? idText(data.call_id) : undefined;
		if (!isObject(data) || id === undefined) return this.log(`${this.name}: ignored a call without a call_id`);
		this.#caller?.call(data.method, data.params, (outcome) => this.sendMcp(resultText(id, outcome)));
	}

	/** Answers a call that was refused unread, so that the service need not wait. */
	private refuse(body: Uint8Array, problem: string): void {
		const id = idText(findScalar(body, CALL_ID));
		if (id !== undefined) this.sendMcp(resultText(id, { error: `Refused: ${problem}` }));
	}

	private register(): void {
		const services: string[] = [];
		const { rights, server } = this.#options;
		server.forEachTool(({ name, body }) => {
			// In a description the quotation marks would have backslashes.
			services.push(`"${name}":{${body.replace('"inputSchema":', '"parameters":').slice(2)}}}`);
		}, rights?.userTools);
		this.sendMcp(`{"type":"register","data":{"services":{${services.join(",")}}}}`);
	}

	/** The end mark can stand only in strings of the JSON text, where it is written in another way. */
	private sendMcp(json: string): void {
		this.send(MCP, MCP_TASK, json.includes(FRAME_TAIL) ? json.replaceAll(FRAME_TAIL, "\\u0023\\u0023END") : json);
	}

	private send(kind: number, task: string, body: string): void {
		this.#connection.send(`${String.fromCharCode(kind)}${task}${SEQUENCE}${body}`);
	}

	onClose(): void {
		this.#authTimeout.clear();
		this.#heartbeat.stop();
		this.#caller?.close();
		this.#caller = undefined;
		if (!this.#ready) return;
		this.#ready = false;
		this.#options.callbacks?.onReady?.(false);
	}
}

/** Words in an answer to the authorisation that mean no. */
const REFUSAL: readonly string[] = Object.freeze([
	"error",
	"fail",
	"invalid",
	"denied",
	"refused",
	"unauthorized",
	"expired",
	"失败",
	"错误",
	"无效",
	"过期",
]);

/** Where a frame's body begins: behind kind, task and sequence. */
function bodyStart(frame: Uint8Array): number {
	return 1 + TASK_BYTES + SEQUENCE_DIGITS + (frame[1 + TASK_BYTES] === OPENING_BRACKET ? 2 : 0);
}

function resultText(id: string, outcome: CallOutcome): string {
	const result = "data" in outcome ? `{"success":true,"data":${outcome.data}}` : `{"success":false,"error":${JSON.stringify(outcome.error)}}`;
	return `{"type":"result","data":{"call_id":${id},"result":${result}}}`;
}
