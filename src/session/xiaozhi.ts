// The xiaozhi envelope over WebSocket or MQTT: hello with features.mcp, then JSON-RPC inside {"type":"mcp"} (seeds 000, 002, 004).

import { Timeout } from "../base/timers.js";
import type { Conversation } from "../mcp/conversation.js";
import { idText } from "../mcp/json-rpc.js";
import type { Rights } from "../mcp/rights.js";
import { isObject } from "../mcp/schema.js";
import type { McpServer } from "../mcp/server.js";
import type { Connect } from "../transports/transport.js";
import { ENVELOPE, ENVELOPE_NAMES, ENVELOPE_TAIL, envelopeHead } from "./envelope.js";
import { ReconnectingConnection } from "./reconnecting-connection.js";

/** The server has to say hello within this time. */
export const HELLO_TIMEOUT_MS = 10_000;
export const MINIMUM_RECONNECT_MS = 1000;
export const MAXIMUM_RECONNECT_MS = 60_000;
/** After the server's goodbye the device waits between this and twice this before it says hello again. */
export const GOODBYE_WAIT_MS = 5000;

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
	/** What the log calls this session; "session" where it is not given. */
	name?: string;
	log?: (line: string) => void;
	/** A number from 0 up to 1, for the jitter; `Math.random` where it is not given. */
	random?: () => number;
	/** The backend has asked for a restart of the device. */
	onReboot?(): void;
	/** The session goes up (`true`, after the server's hello) or down. */
	onReady?(ready: boolean): void;
	/** A connection was lost or could not be made. */
	onLost?: ((name: string, reason: string) => void) | undefined;
}

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
export class XiaozhiSession<B = unknown> {
	readonly #options: XiaozhiSessionOptions<B>;
	readonly #connection: ReconnectingConnection;
	readonly #log: (line: string) => void;
	readonly #name: string;
	readonly #overMqtt: boolean;
	#conversation: Conversation<B> | undefined;
	/** The session id as JSON text, in the type in which it came. */
	#sessionId: string | undefined;
	/** The time limit of the server's hello, or the wait before the device's next one. */
	readonly #helloTimeout: Timeout;
	#ready = false;

	constructor(options: XiaozhiSessionOptions<B>) {
		this.#options = options;
		this.#log = options.log ?? options.server.log;
		this.#name = options.name ?? "session";
		this.#overMqtt = options.transport === "udp";
		this.#helloTimeout = new Timeout(options.server.timers);
		options.server.addNames(ENVELOPE_NAMES);
		this.#connection = new ReconnectingConnection({
			name: this.#name,
			connect: options.connect,
			timers: options.server.timers,
			minimumDelayMs: MINIMUM_RECONNECT_MS,
			maximumDelayMs: MAXIMUM_RECONNECT_MS,
			random: options.random,
			log: this.#log,
			names: () => options.server.knownNames,
			onOpen: () => this.#opened(),
			onJson: (value) => this.#received(value),
			onNotJson: (text) => {
				if (!this.#ready) this.#log(`${this.#name}: the server says ${JSON.stringify(text.slice(0, 100))}; is the token right?`);
			},
			onClose: () => this.#closed(),
			onLost: options.onLost,
		});
	}

	/** Has the server said hello? */
	get ready(): boolean {
		return this.#ready;
	}

	/** @throws TypeError or RangeError for settings that can never work */
	start(): void {
		this.#connection.start();
	}

	/** Ends the session for good, with a goodbye over MQTT. May be called twice. */
	close(): void {
		if (this.#overMqtt && this.#ready)
			this.#connection.send(`{${this.#sessionId === undefined ? "" : `"session_id":${this.#sessionId},`}"type":"goodbye"}`);
		this.#connection.close();
	}

	#opened(): void {
		const { rights, server } = this.#options;
		this.#conversation = server.open({
			dialect: ENVELOPE,
			rights,
			log: this.#log,
			send: (text) => this.#connection.send(text),
			sendTexts: (texts, byteLength) => this.#connection.sendTexts(texts, byteLength),
			congested: () => this.#connection.congested,
		});
		this.#setSessionId(undefined);
		this.#sayHello();
	}

	#sayHello(): void {
		this.#helloTimeout.set(HELLO_TIMEOUT_MS, () => this.#connection.reconnect(`no hello within ${HELLO_TIMEOUT_MS / 1000} s`));
		this.#connection.send(this.#overMqtt ? MQTT_HELLO : HELLO);
	}

	#received(message: unknown): void {
		if (!isObject(message)) return;
		switch (message.type) {
			case "mcp":
				this.#takeSessionId(message);
				this.#conversation?.receive(message.payload);
				break;
			case "hello":
				this.#takeSessionId(message);
				this.#hello();
				break;
			case "goodbye":
				this.#goodbye(message);
				break;
			case "system":
				if (message.command === "reboot") {
					this.#log(`${this.#name}: the server asks for a restart`);
					this.#options.onReboot?.();
				} else this.#log(`${this.#name}: ignored system command ${JSON.stringify(message.command)?.slice(0, 40)}`);
				break;
		}
	}

	#hello(): void {
		this.#helloTimeout.clear();
		this.#connection.resetBackoff();
		if (this.#ready) return;
		this.#ready = true;
		this.#log(`${this.#name}: ready`);
		this.#conversation?.listen();
		this.#options.onReady?.(true);
	}

	/** The server ends the session, not the connection; one with another session's id is late. */
	#goodbye(message: { [key: string]: unknown }): void {
		const id = idText(message.session_id ?? message.sessionId);
		if (!this.#overMqtt || !this.#ready || (id !== undefined && id !== this.#sessionId)) return;
		const { random = Math.random } = this.#options;
		const delay = Math.round(GOODBYE_WAIT_MS * (1 + random()));
		this.#log(`${this.#name}: the server said goodbye; hello again in ${(delay / 1000).toFixed(1)} s`);
		this.#ready = false;
		this.#options.onReady?.(false);
		this.#setSessionId(undefined);
		this.#helloTimeout.set(delay, () => this.#sayHello());
	}

	#takeSessionId(message: { [key: string]: unknown }): void {
		const id = idText(message.session_id ?? message.sessionId);
		if (id !== undefined && id !== this.#sessionId) this.#setSessionId(id);
	}

	#setSessionId(id: string | undefined): void {
		this.#sessionId = id;
		this.#conversation?.setEnvelope(envelopeHead(id), ENVELOPE_TAIL);
	}

	#closed(): void {
		this.#helloTimeout.clear();
		this.#conversation?.close();
		this.#conversation = undefined;
		if (!this.#ready) return;
		this.#ready = false;
		this.#options.onReady?.(false);
	}
}

const AUDIO = '"audio_params":{"format":"opus","sample_rate":16000,"channels":1,"frame_duration":60}}';
const HELLO = `{"type":"hello","version":1,"features":{"mcp":true},"transport":"websocket",${AUDIO}`;
const MQTT_HELLO = `{"type":"hello","version":3,"features":{"mcp":true},"transport":"udp",${AUDIO}`;
