// The configuration that a server hands out at the start: which backend to connect to, and the code by which an owner claims the device.

import { oneLine } from "../base/text.js";
import { type HttpOptions, type HttpRequest, type HttpText, requestText } from "../http/client.js";
import { toJson } from "../mcp/content.js";
import { isObject } from "../mcp/schema.js";
import type { Timers } from "../mcp/server.js";
import { parseHttpUrl, parseMqttEndpoint, parseWebSocketUrl } from "../net/address.js";
import { isDeeper, MAX_DEPTH } from "../session/inbound.js";
import { Settings } from "../settings/store.js";
import type { TlsSettings } from "../tls/settings.js";
import { systemInformation } from "./information.js";
import type { LivingBoard } from "./living-board.js";

/** How long the server may take for its answer. */
export const CONFIGURATION_TIMEOUT_MS = 20_000;
/** How often an activation is asked after. */
export const ACTIVATION_POLL_MS = 3000;
/** After so long without an activation the configuration is fetched anew, with a new code. */
export const ACTIVATION_LIMIT_MS = 300_000;
export const MINIMUM_CONFIGURATION_RETRY_MS = 10_000;
export const MAXIMUM_CONFIGURATION_RETRY_MS = 600_000;
/** No value of a reply may be longer. */
const MAX_VALUE_LENGTH = 1024;
/** The member names that are looked for; XS leaves out the others, so that a server cannot fill its table of keys. */
const NAMES: readonly string[] = Object.freeze([
	...["success", "message", "error", "websocket", "url", "token", "mqtt", "endpoint", "client_id", "username", "password"],
	...["publish_topic", "subscribe_topic", "keepalive", "activation", "code", "server_time", "timestamp", "firmware", "version"],
]);

/** The main session over WebSocket, as the server gave it. */
export interface WebSocketConfiguration {
	readonly url: string;
	readonly token: string;
}

/** The main session over MQTT, as the server gave it. */
export interface MqttConfiguration {
	/** `host` or `host:port`. */
	readonly endpoint: string;
	readonly clientId: string;
	readonly username: string;
	readonly password: string;
	readonly publishTopic: string;
	readonly subscribeTopic: string;
	/** In seconds; "" where it was not given. */
	readonly keepalive: string;
}

export interface Activation {
	/** What the owner types in at the server's page. */
	readonly code: string;
	readonly message: string;
}

/** What is of use in a reply; what is missing or not valid is undefined. */
export interface Configuration {
	readonly websocket?: WebSocketConfiguration | undefined;
	readonly mqtt?: MqttConfiguration | undefined;
	readonly activation?: Activation | undefined;
	/** In milliseconds since 1970 UTC. */
	readonly serverTimeMs?: number | undefined;
	/** The firmware that the server knows. Only for the log: nothing is flashed because of it. */
	readonly firmwareVersion?: string | undefined;
}

/**
 * Takes a reply apart.
 * @throws Error that says in words what is wrong with it
 */
export function parseConfiguration(text: string): Configuration {
	const trimmed = text.trim();
	if (trimmed.startsWith("<")) throw new Error("the answer is a web page, not a configuration; is the address right?");
	if (isDeeper(new Uint8Array(ArrayBuffer.fromString(trimmed)), MAX_DEPTH)) throw new Error("the answer is nested too deep");
	let reply: unknown;
	try {
		reply = JSON.parse(trimmed, NAMES as never);
	} catch {
		throw new Error(`the answer is not JSON: "${oneLine(trimmed, 40)}"`);
	}
	if (!isObject(reply)) throw new Error("the answer is not a JSON object");
	if (reply.success === false || reply.error !== undefined) {
		const said = reply.message ?? reply.error;
		throw new Error(`the server refused: ${typeof said === "string" ? oneLine(said) : "it did not say why"}`);
	}
	const websocket = isObject(reply.websocket) ? websocketOf(reply.websocket) : undefined;
	const mqtt = isObject(reply.mqtt) ? mqttOf(reply.mqtt) : undefined;
	const activation = isObject(reply.activation) ? activationOf(reply.activation) : undefined;
	if (!websocket && !mqtt && !activation) throw new Error("the answer has no usable websocket, mqtt or activation");
	const time = isObject(reply.server_time) ? reply.server_time.timestamp : undefined;
	const firmware = isObject(reply.firmware) ? asText(reply.firmware.version) : undefined;
	return {
		websocket,
		mqtt,
		activation,
		serverTimeMs: typeof time === "number" && time > 0 && time < 8.64e15 ? time : undefined,
		firmwareVersion: firmware,
	};
}

function websocketOf({ url, token }: { [name: string]: unknown }): WebSocketConfiguration | undefined {
	if (typeof url !== "string" || url.length > MAX_VALUE_LENGTH) return undefined;
	try {
		parseWebSocketUrl(url);
	} catch {
		return undefined;
	}
	return { url, token: asText(token) ?? "" };
}

function mqttOf(given: { [name: string]: unknown }): MqttConfiguration | undefined {
	const endpoint = asText(given.endpoint);
	const publishTopic = asText(given.publish_topic);
	if (!endpoint || !publishTopic) return undefined;
	try {
		parseMqttEndpoint(endpoint);
	} catch {
		return undefined;
	}
	const { keepalive } = given;
	return {
		endpoint,
		publishTopic,
		clientId: asText(given.client_id) ?? "",
		username: asText(given.username) ?? "",
		password: asText(given.password) ?? "",
		subscribeTopic: asText(given.subscribe_topic) ?? "",
		keepalive: Number.isInteger(keepalive) && (keepalive as number) >= 0 && (keepalive as number) <= 65535 ? String(keepalive) : "",
	};
}

function activationOf({ code, message }: { [name: string]: unknown }): Activation | undefined {
	const digits = typeof code === "number" ? String(code) : asText(code);
	return digits ? { code: oneLine(digits, 40), message: oneLine(asText(message) ?? "", 200) } : undefined;
}

function asText(value: unknown): string | undefined {
	return typeof value === "string" && value.length <= MAX_VALUE_LENGTH ? value : undefined;
}

export interface ConfigurationSourceOptions {
	/** Where to ask: `ota_url`. */
	url: string;
	board: LivingBoard;
	/** What the server knows the device by, where that is not the board's own. */
	deviceId: string;
	clientId: string;
	timers: Timers;
	tls?: TlsSettings | undefined;
	log(line: string): void;
	/** A number from 0 up to 1; `Math.random` where it is not given. */
	random?: (() => number) | undefined;
	/** What to connect to. May come again with something else. */
	onConfiguration(configuration: Configuration): void;
	/** There is none, neither fresh nor kept; it is asked for again where that is of use. */
	onMissing?(): void;
	/** The code that the owner needs; undefined when it is no longer needed. */
	onActivation(activation: Activation | undefined): void;
	/** Sends a request; `requestText` where it is not given. */
	request?: (options: HttpOptions, onRequest: (request: HttpRequest) => void) => Promise<HttpText>;
}

/**
 * Fetches the configuration and keeps it, so that a dead server does not stop a device that once had one; asks after an
 * activation until it is done. Goes on trying until it has a configuration or is closed.
 */
export class ConfigurationSource {
	readonly #options: ConfigurationSourceOptions;
	readonly #store = new Settings("mcp-config");
	#request: HttpRequest | undefined;
	#timer: unknown;
	#attempts = 0;
	#closed = false;
	/** How much longer an activation is asked after. */
	#activationLeftMs = 0;

	constructor(options: ConfigurationSourceOptions) {
		this.#options = options;
	}

	/** Asks the server now; an address that can never work costs a line in the log. */
	start(): void {
		const { board, url, log, onMissing } = this.#options;
		try {
			parseHttpUrl(url);
		} catch (error) {
			log(`configuration: ${(error as Error).message}; off until its settings change`);
			return onMissing?.();
		}
		log(`configuration: asking ${url.split("?")[0]}`);
		this.#post(url, toJson(systemInformation(board)), (reply, problem) => {
			if (!reply) return this.#failed(problem);
			const { status, location } = reply;
			// What stands behind the question mark may be a token.
			const moved = location ? `: moved to ${oneLine(location.split("?")[0] as string, 100)}` : "";
			if (status < 200 || status > 299) return this.#failed(`the server answered ${status}${moved}`);
			let configuration: Configuration;
			try {
				configuration = parseConfiguration(reply.text);
			} catch (error) {
				return this.#failed((error as Error).message);
			}
			this.#arrived(configuration);
		});
	}

	/** Ends it. May be called twice. */
	close(): void {
		this.#closed = true;
		this.#request?.close();
		this.#request = undefined;
		if (this.#timer !== undefined) this.#options.timers.clear(this.#timer);
		this.#timer = undefined;
	}

	#arrived(configuration: Configuration): void {
		const { board, log, onActivation, onConfiguration } = this.#options;
		const { activation, firmwareVersion, mqtt, websocket } = configuration;
		this.#attempts = 0;
		if (firmwareVersion && firmwareVersion !== board.system.version)
			log(`configuration: the server knows firmware ${oneLine(firmwareVersion, 40)}; nothing is done about it`);
		if (!activation) {
			if (websocket || mqtt) this.#keep(configuration);
			onActivation(undefined);
			return onConfiguration(configuration);
		}
		log(`activation: enter the code ${activation.code}${activation.message ? ` (${activation.message})` : ""}`);
		onActivation(activation);
		this.#activationLeftMs = ACTIVATION_LIMIT_MS;
		this.#poll();
	}

	#poll(): void {
		this.#later(ACTIVATION_POLL_MS, () => {
			this.#activationLeftMs -= ACTIVATION_POLL_MS;
			this.#post(activationUrl(this.#options.url), "{}", (reply, problem) => {
				if (reply?.status === 200) {
					this.#options.log("activation: done");
					return this.start();
				}
				if (reply?.status !== 202) this.#options.log(`activation: ${reply ? `the server answered ${reply.status}` : problem}`);
				if (this.#activationLeftMs > 0) return this.#poll();
				this.#options.log("activation: the code has not been used, asking for another one");
				this.start();
			});
		});
	}

	#failed(problem: string): void {
		const { log, onConfiguration, random = Math.random } = this.#options;
		const kept = this.#kept();
		if (kept) {
			log(`configuration: ${problem}; using the last one`);
			return onConfiguration(kept);
		}
		const most = Math.min(MAXIMUM_CONFIGURATION_RETRY_MS, MINIMUM_CONFIGURATION_RETRY_MS * 2 ** (this.#attempts + 1));
		const delay = Math.round((most / 2) * (1 + random()));
		if (this.#attempts < 30) this.#attempts++;
		log(`configuration: ${problem}; asking again in ${(delay / 1000).toFixed(1)} s`);
		this.#options.onMissing?.();
		this.#later(delay, () => this.start());
	}

	#later(delay: number, act: () => void): void {
		if (this.#closed) return;
		const { timers } = this.#options;
		if (this.#timer !== undefined) timers.clear(this.#timer);
		this.#timer = timers.set(() => {
			this.#timer = undefined;
			if (!this.#closed) act();
		}, delay);
	}

	#post(url: string, body: string, done: (reply: HttpText | undefined, problem: string) => void): void {
		const { board, deviceId, clientId, timers, tls, request = requestText } = this.#options;
		const headers: [string, string][] = [
			["Device-Id", deviceId],
			["Client-Id", clientId],
			["Activation-Version", "1"],
			["User-Agent", `${board.name}/${board.system.version}`],
			["Accept-Language", "en-US"],
			["Content-Type", "application/json"],
		];
		const finish = (reply: HttpText | undefined, problem: string) => {
			this.#request = undefined;
			if (!this.#closed) done(reply, problem);
		};
		let answer: Promise<HttpText>;
		try {
			answer = request({ url, method: "POST", headers, body, timers, tls, timeoutMs: CONFIGURATION_TIMEOUT_MS }, (started) => {
				this.#request = started;
			});
		} catch (error) {
			return finish(undefined, (error as Error).message);
		}
		answer.then(
			(reply) => finish(reply, ""),
			(error) => finish(undefined, (error as Error).message),
		);
	}

	#keep({ websocket, mqtt }: Configuration): void {
		try {
			this.#store.set(
				"last",
				JSON.stringify({
					websocket,
					mqtt: mqtt && {
						endpoint: mqtt.endpoint,
						client_id: mqtt.clientId,
						username: mqtt.username,
						password: mqtt.password,
						publish_topic: mqtt.publishTopic,
						subscribe_topic: mqtt.subscribeTopic,
						keepalive: mqtt.keepalive === "" ? undefined : Number(mqtt.keepalive),
					},
				}),
			);
			this.#store.set("from", this.#options.url);
		} catch (error) {
			this.#options.log(`configuration: it could not be kept: ${(error as Error).message}`);
		}
	}

	/** The last configuration of this server, if it is still good. */
	#kept(): Configuration | undefined {
		const text = this.#store.anyText("last");
		if (!text || this.#store.anyText("from") !== this.#options.url) return undefined;
		try {
			return parseConfiguration(text);
		} catch {
			return undefined;
		}
	}
}

/** `<ota_url>/activate`, before a query if there is one. */
function activationUrl(url: string): string {
	const query = url.indexOf("?");
	const path = query < 0 ? url : url.slice(0, query);
	return `${path}${path.endsWith("/") ? "" : "/"}activate${query < 0 ? "" : url.slice(query)}`;
}
