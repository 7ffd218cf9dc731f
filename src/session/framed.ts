// The framed service of seed 001: authorisation, heartbeat, and tools offered and called as services.

import type { CallOutcome, Conversation } from "../mcp/conversation.js";
import { DIRECT } from "../mcp/dialect.js";
import { idText } from "../mcp/json-rpc.js";
import { isObject } from "../mcp/schema.js";
import type { McpServer } from "../mcp/server.js";
import type { Connect } from "../transports/transport.js";
import { InboundReader } from "./inbound.js";
import { Link } from "./link.js";

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
	/** The session goes up (`true`, when the tools are registered) or down. */
	onReady?(ready: boolean): void;
	/** A connection was lost or could not be made. */
	onLost?: ((name: string, reason: string) => void) | undefined;
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

/** A session with a framed service, from `start` to `close`; it connects again by itself. */
export class FramedSession<B = unknown> {
	readonly #options: FramedSessionOptions<B>;
	readonly #link: Link;
	readonly #log: (line: string) => void;
	readonly #name: string;
	readonly #reader = new InboundReader();
	#conversation: Conversation<B> | undefined;
	/** The limit of the authorisation, then the heartbeat. */
	#timer: unknown;
	#ready = false;
	#heard = false;

	/** @throws TypeError for a token or a setting that would break the frame that carries it */
	constructor(options: FramedSessionOptions<B>) {
		const { token, voiceId = "", language = "" } = options;
		if (!token) throw new TypeError("the framed service needs a token");
		for (const [what, text] of [
			["token", token],
			["voice id", voiceId],
			["language", language],
		] as const)
			if (typeof text !== "string" || text.includes("##")) throw new TypeError(`the ${what} of the framed service must be a text without ##`);
		this.#options = options;
		this.#log = options.log ?? options.server.log;
		this.#name = options.name ?? "framed";
		this.#link = new Link({
			name: this.#name,
			connect: options.connect,
			timers: options.server.timers,
			minimumDelayMs: MINIMUM_FRAMED_RECONNECT_MS,
			maximumDelayMs: MAXIMUM_FRAMED_RECONNECT_MS,
			random: options.random,
			log: this.#log,
			names: () => options.server.knownNames,
			onLost: options.onLost,
			onOpen: () => this.#opened(),
			onBytes: (bytes) => this.#received(bytes),
			onDown: () => this.#down(),
		});
	}

	/** Are the tools registered? */
	get ready(): boolean {
		return this.#ready;
	}

	/** @throws TypeError or RangeError for settings that can never work */
	start(): void {
		this.#link.start();
	}

	/** Ends the session for good. May be called twice. */
	close(): void {
		this.#send(STATUS, AUTH_TASK, "##DISCONNECT");
		this.#link.close();
	}

	#opened(): void {
		const { server, token, voiceId, language } = this.#options;
		this.#conversation = server.open({
			dialect: DIRECT,
			send: () => {},
			onListChanged: () => {
				if (this.#ready) this.#register();
			},
		});
		this.#send(AUTH, AUTH_TASK, `${token}##voiceid:${voiceId ?? ""}##lang:${language ?? ""}##format:pcm`);
		this.#setTimer(AUTH_TIMEOUT_MS, () => this.#link.drop(`no answer to the authorisation within ${AUTH_TIMEOUT_MS / 1000} s`));
	}

	/** A frame: kind (1 byte), task (8), sequence (4 digits, perhaps in brackets), body. */
	#received(bytes: Uint8Array): void {
		this.#heard = true;
		const kind = bytes[0];
		const bracketed = bytes[1 + TASK_BYTES] === OPENING_BRACKET;
		const from = 1 + TASK_BYTES + SEQUENCE_DIGITS + (bracketed ? 2 : 0);
		if (bytes.byteLength < from) return this.#log(`${this.#name}: ignored a frame of ${bytes.byteLength} bytes`);
		// Voice and text are for others.
		if (kind !== AUTH && kind !== STATUS && kind !== MCP) return;
		const body = bytes.subarray(from);
		if (kind === MCP) {
			const inbound = this.#reader.read(body, this.#options.server.knownNames);
			if ("value" in inbound) this.#message(inbound.value);
			else this.#log(`${this.#name}: ignored ${inbound.problem}`);
			return;
		}
		const { text, problem } = this.#reader.readText(body);
		if (text === undefined) this.#log(`${this.#name}: ignored ${problem}`);
		else if (text === "##PING") this.#send(STATUS, AUTH_TASK, "##INFO:PONG");
		else if (!this.#ready) this.#authorised(text);
		else if (text === "##DISCONNECT") this.#link.drop("the service ended the session");
	}

	/** The first answer to the authorisation; what it looks like is not written down anywhere. */
	#authorised(answer: string): void {
		const words = answer.toLowerCase();
		if (answer === "##DISCONNECT" || REFUSAL.some((word) => words.includes(word))) {
			this.#link.drop(`the service refused: ${JSON.stringify(answer.slice(0, 100))}; is the token right?`);
			return;
		}
		this.#link.established();
		this.#ready = true;
		this.#register();
		this.#beat();
		this.#log(`${this.#name}: ready`);
		this.#options.onReady?.(true);
	}

	#message(message: unknown): void {
		if (!isObject(message) || message.type !== "call") return;
		const data = message.data;
		const id = isObject(data) ? idText(data.call_id) : undefined;
		if (!isObject(data) || id === undefined) return this.#log(`${this.#name}: ignored a call without a call_id`);
		this.#conversation?.call(data.method, data.params, (outcome) => this.#sendMcp(resultText(id, outcome)));
	}

	#register(): void {
		const services: string[] = [];
		this.#options.server.forEachTool(({ name, head, members }) => {
			const { description } = JSON.parse(`${head}}`) as { description: string };
			services.push(`"${name}":{"description":${JSON.stringify(description)},"parameters":{"type":"object",${members.json}}}`);
		});
		this.#sendMcp(`{"type":"register","data":{"services":{${services.join(",")}}}}`);
	}

	#beat(): void {
		this.#heard = false;
		this.#send(STATUS, AUTH_TASK, "##PING");
		this.#setTimer(HEARTBEAT_MS, () => {
			if (this.#heard) this.#beat();
			else this.#link.drop(`no frame from the service for ${HEARTBEAT_MS / 1000} s`);
		});
	}

	/** The end mark can stand only in strings of the JSON text, where it is written in another way. */
	#sendMcp(json: string): void {
		this.#send(MCP, MCP_TASK, json.includes(FRAME_TAIL) ? json.replaceAll(FRAME_TAIL, "\\u0023\\u0023END") : json);
	}

	#send(kind: number, task: string, body: string): void {
		this.#link.send(`${String.fromCharCode(kind)}${task}${SEQUENCE}${body}`);
	}

	#down(): void {
		this.#clearTimer();
		this.#conversation?.close();
		this.#conversation = undefined;
		if (!this.#ready) return;
		this.#ready = false;
		this.#options.onReady?.(false);
	}

	#setTimer(delay: number, act: () => void): void {
		this.#clearTimer();
		this.#timer = this.#options.server.timers.set(() => {
			this.#timer = undefined;
			act();
		}, delay);
	}

	#clearTimer(): void {
		if (this.#timer !== undefined) this.#options.server.timers.clear(this.#timer);
		this.#timer = undefined;
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

function resultText(id: string, outcome: CallOutcome): string {
	const result = "data" in outcome ? `{"success":true,"data":${outcome.data}}` : `{"success":false,"error":${JSON.stringify(outcome.error)}}`;
	return `{"type":"result","data":{"call_id":${id},"result":${result}}}`;
}
