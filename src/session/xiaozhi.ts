// The xiaozhi envelope over WebSocket or MQTT: hello with features.mcp, then JSON-RPC inside {"type":"mcp"} (seeds 000, 002, 004).

import { Backoff } from "../base/backoff.js";
import { oneLine } from "../base/text.js";
import { Timeout } from "../base/timers.js";
import type { Conversation } from "../mcp/conversation.js";
import { idText } from "../mcp/json-rpc.js";
import type { Rights } from "../mcp/rights.js";
import { isObject } from "../mcp/schema.js";
import type { McpServer } from "../mcp/server.js";
import type { Connect } from "../transports/transport.js";
import { CHINESE_ENVELOPE, ENVELOPE, ENVELOPE_NAMES, ENVELOPE_TAIL, envelopeHead } from "./envelope.js";
import { type JsonMessage, refusedId } from "./message-parser.js";
import { type ConnectionUser, ReconnectingConnection } from "./reconnecting-connection.js";
import type { SessionCallbacks } from "./session-manager.js";

/** The server has to say hello within this time. */
export const HELLO_TIMEOUT_MS = 10_000;
export const MINIMUM_RECONNECT_MS = 1000;
export const MAXIMUM_RECONNECT_MS = 60_000;
/** After the server's goodbye over MQTT the device waits between this and twice this before it says hello again; twice as long each time. */
export const GOODBYE_WAIT_MS = 5000;
export const MAXIMUM_GOODBYE_WAIT_MS = 60_000;
/** So many connections in a row without a hello mean that the address or the token may be old. */
export const REFUSALS = 3;
/** A session that is open on demand is closed when nothing was said for so long. */
export const IDLE_MS = 120_000;
/** The longest sentence that the device says or logs, in characters. */
export const MAX_SENTENCE_CHARACTERS = 500;

export type Language = "en" | "zh";

export interface XiaozhiIdentity {
	/** Sent as `Authorization: Bearer <token>`; one that has a space in it is sent as it is. Absent or "": no header. */
	token?: string | undefined;
	/** The MAC address, as `aa:bb:cc:dd:ee:ff`. */
	deviceId: string;
	/** A UUID that stays the same for this device. */
	clientId: string;
}

export interface XiaozhiSessionOptions<B> {
	server: McpServer<B>;
	connect: Connect;
	/** What the peer may do; what any peer may where it is not given. */
	rights?: Rights | undefined;
	/**
	 * What the messages are carried by, as the hello says it: "websocket", or "udp" over MQTT (where the voice goes by UDP).
	 * Over MQTT either side may say goodbye, and the connection outlives that. "websocket" where it is not given.
	 */
	transport?: "websocket" | "udp";
	/** The user's, in which failures are told; English where it is not given. */
	language?: Language | undefined;
	/** What the log calls this session; "session" where it is not given. */
	name?: string;
	log?: (line: string) => void;
	/** A number from 0 up to 1, for the jitter; `Math.random` where it is not given. */
	random?: () => number;
	/** Is it open only after `start`, `wake` and `say`, until nothing was said for `IDLE_MS`? Nobody can call the device at other times. */
	onDemand?: boolean | undefined;
	/** The backend has asked for a restart of the device. */
	onReboot?(): void;
	/** The backend tells what it heard, says, feels or does: on one line, at most `MAX_SENTENCE_CHARACTERS`. */
	onSpeech?(kind: SpeechKind, text: string): void;
	/** `REFUSALS` connections in a row brought no hello, or one was refused in words; again after each further one. */
	onRefused?(): void;
	/** Hears that the session goes up (after the server's hello) or down, and why a connection was lost or could not be made. One that is closed until it is needed stays up. */
	callbacks?: Partial<SessionCallbacks>;
}

/** Who a sentence of the backend is of; or that it is the name of an emotion, or of the tool that is called. */
export type SpeechKind = "user" | "assistant" | "emotion" | "call";

/** The headers of the upgrade request. */
export function xiaozhiHeaders({ token, deviceId, clientId }: XiaozhiIdentity): [string, string][] {
	const headers: [string, string][] = [
		["Protocol-Version", "1"],
		["Device-Id", deviceId],
		["Client-Id", clientId],
	];
	if (token) headers.unshift(["Authorization", token.includes(" ") ? token : `Bearer ${token}`]);
	return headers;
}

/** A session with a backend of the xiaozhi family, from `start` to `close`; it connects again by itself. */
export class XiaozhiSession<B = unknown> implements ConnectionUser {
	readonly name: string;
	readonly log: (line: string) => void;
	readonly #options: XiaozhiSessionOptions<B>;
	readonly #connection: ReconnectingConnection;
	readonly #overMqtt: boolean;
	#conversation: Conversation<B> | undefined;
	/** The session id as JSON text, in the type in which it came. */
	#sessionId: string | undefined;
	/** The time limit of the server's hello, or the wait before the device's next one. */
	readonly #helloTimeout: Timeout;
	/** The wait after a goodbye. */
	readonly #goodbyes: Backoff;
	/** Runs while a session on demand is open. */
	readonly #idle: Timeout;
	/** Connections in a row without a hello; -1 while there is one. */
	#failures = 0;
	#ready = false;
	/** Does the device wait before it says hello again? */
	#waiting = false;
	/** What `callbacks.onReady` was told. */
	#up = false;

	constructor(options: XiaozhiSessionOptions<B>) {
		this.#options = options;
		this.log = options.log ?? options.server.log;
		this.name = options.name ?? "session";
		this.#overMqtt = options.transport === "udp";
		this.#helloTimeout = new Timeout(options.server.timers);
		this.#idle = new Timeout(options.server.timers);
		this.#goodbyes = new Backoff(GOODBYE_LIMITS, options.random);
		options.server.addNames(ENVELOPE_NAMES);
		this.#connection = new ReconnectingConnection(this, options.connect, options.server, LIMITS, options.random);
	}

	/** Has the server said hello? */
	get ready(): boolean {
		return this.#ready;
	}

	/** @throws TypeError or RangeError for settings that can never work */
	start(): void {
		this.#connection.start();
		this.active();
	}

	/** Opens a session that is open on demand, or keeps it open. */
	wake(): void {
		if (this.#options.onDemand) this.start();
	}

	/**
	 * Says a sentence to the assistant, as if it had been heard; `wake` first.
	 * @param text one line of at most `MAX_SENTENCE_CHARACTERS`
	 * @returns false when the server has not said hello
	 */
	say(text: string): boolean {
		if (!this.#ready) return false;
		this.active();
		this.#connection.send(`{${this.idMember}"type":"listen","state":"detect","text":${JSON.stringify(text)}}`);
		return true;
	}

	/** Ends the session for good, with a goodbye over MQTT. May be called twice. */
	close(): void {
		this.hangUp();
		this.tell(false);
	}

	/** Something was said: a session on demand stays open for a while. */
	private active(): void {
		if (!this.#options.onDemand) return;
		this.#idle.set(IDLE_MS, () => {
			this.log(`${this.name}: nothing was said for ${IDLE_MS / 60_000} minutes; closed until it is needed`);
			this.hangUp();
		});
	}

	private hangUp(): void {
		this.#idle.clear();
		if (this.#overMqtt && this.#ready) this.#connection.send(`{${this.idMember}"type":"goodbye"}`);
		this.#connection.close();
	}

	/** The session id as the first member of a message; "" where there is none. */
	private get idMember(): string {
		return this.#sessionId === undefined ? "" : `"session_id":${this.#sessionId},`;
	}

	onOpen(): void {
		const { language, rights, server } = this.#options;
		this.#conversation = server.open({ dialect: language === "zh" ? CHINESE_ENVELOPE : ENVELOPE, rights, log: this.log }, this.#connection);
		this.setSessionId(undefined);
		this.sayHello();
	}

	private sayHello(): void {
		this.#waiting = false;
		this.#helloTimeout.set(HELLO_TIMEOUT_MS, () => this.#connection.reconnect(`no hello within ${HELLO_TIMEOUT_MS / 1000} s`));
		this.#connection.send(this.#overMqtt ? MQTT_HELLO : HELLO);
	}

	onRefused(bytes: Uint8Array, problem: string): void {
		this.#conversation?.refuseUnread(refusedId(bytes, "payload"), problem);
	}

	onNotJson(text: string): void {
		if (this.#ready) return;
		this.log(`${this.name}: the server says ${JSON.stringify(text.slice(0, 100))}; is the token right?`);
		this.#failures = REFUSALS;
	}

	onJson({ value: message }: JsonMessage): void {
		if (!isObject(message)) return;
		this.active();
		switch (message.type) {
			case "mcp":
				this.takeSessionId(message);
				this.call(message.payload);
				this.#conversation?.receive(message.payload);
				break;
			case "hello":
				this.takeSessionId(message);
				this.hello();
				break;
			case "goodbye":
				this.goodbye(message);
				break;
			// A gateway without its chat server; it goes on to call tools over this connection.
			case "error":
				if (this.#overMqtt && !this.#ready) this.helloLater("has no session for this device");
				break;
			case "stt":
				this.speech("user", message.text);
				break;
			case "tts":
				if (message.state === "sentence_start") this.speech("assistant", message.text);
				break;
			case "llm":
				this.speech("emotion", message.emotion);
				break;
			case "system":
				if (message.command === "reboot") {
					this.log(`${this.name}: the server asks for a restart`);
					this.#options.onReboot?.();
				} else this.log(`${this.name}: ignored system command ${JSON.stringify(message.command)?.slice(0, 40)}`);
				break;
		}
	}

	private hello(): void {
		this.#helloTimeout.clear();
		this.#waiting = false;
		this.#connection.resetBackoff();
		this.#goodbyes.reset();
		this.#failures = -1;
		if (this.#ready) return;
		this.#ready = true;
		this.log(`${this.name}: ready`);
		this.#conversation?.listen();
		this.tell(true);
	}

	/** The server ends the session, not the connection; one with another session's id is late. */
	private goodbye(message: { [key: string]: unknown }): void {
		const id = idText(message.session_id ?? message.sessionId);
		if (!this.#overMqtt || (id !== undefined && this.#sessionId !== undefined && id !== this.#sessionId)) return;
		this.helloLater("said goodbye");
	}

	/** Over MQTT only the hello is tried again: calls go on over the connection. */
	private helloLater(why: string): void {
		if (this.#waiting) return;
		const delay = this.#goodbyes.next();
		this.log(`${this.name}: the server ${why}; hello again in ${(delay / 1000).toFixed(1)} s`);
		this.#ready = false;
		this.tell(false);
		this.setSessionId(undefined);
		this.#waiting = true;
		this.#helloTimeout.set(delay, () => this.sayHello());
	}

	private call(payload: unknown): void {
		if (isObject(payload) && payload.method === "tools/call" && isObject(payload.params)) this.speech("call", payload.params.name);
	}

	private speech(kind: SpeechKind, text: unknown): void {
		if (typeof text !== "string" || !text) return;
		this.#options.onSpeech?.(kind, oneLine(text, MAX_SENTENCE_CHARACTERS));
	}

	onLost(reason: string): void {
		const { callbacks, onRefused } = this.#options;
		this.tell(false);
		callbacks?.onLost?.(reason);
		this.#failures++;
		if (this.#failures >= REFUSALS || REFUSAL_WORDS.some((word) => reason.includes(word))) onRefused?.();
	}

	private takeSessionId(message: { [key: string]: unknown }): void {
		const id = idText(message.session_id ?? message.sessionId);
		if (id !== undefined && id !== this.#sessionId) this.setSessionId(id);
	}

	private setSessionId(id: string | undefined): void {
		this.#sessionId = id;
		this.#conversation?.setEnvelope(envelopeHead(id), ENVELOPE_TAIL);
	}

	onClose(): void {
		this.#helloTimeout.clear();
		this.#conversation?.close();
		this.#conversation = undefined;
		this.#ready = false;
	}

	private tell(up: boolean): void {
		if (up === this.#up) return;
		this.#up = up;
		this.#options.callbacks?.onReady?.(up);
	}
}

const LIMITS = Object.freeze({ minimumMs: MINIMUM_RECONNECT_MS, maximumMs: MAXIMUM_RECONNECT_MS });
const GOODBYE_LIMITS = Object.freeze({ minimumMs: GOODBYE_WAIT_MS, maximumMs: MAXIMUM_GOODBYE_WAIT_MS });

/** What is in the reason of a lost connection when the server wants another token. */
const REFUSAL_WORDS: readonly string[] = Object.freeze(["401", "403", "1008"]);

const AUDIO = '"audio_params":{"format":"opus","sample_rate":16000,"channels":1,"frame_duration":60}}';
const HELLO = `{"type":"hello","version":1,"features":{"mcp":true},"transport":"websocket",${AUDIO}`;
const MQTT_HELLO = `{"type":"hello","version":3,"features":{"mcp":true},"transport":"udp",${AUDIO}`;
