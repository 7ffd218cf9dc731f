// Asks the configuration server at the start, and asks after an activation until the owner has claimed the device.

import { Backoff } from "../base/backoff.js";
import { utf8Bytes } from "../base/bytes.js";
import { hideSecrets, oneLine } from "../base/text.js";
import { Timeout, type Timers } from "../base/timers.js";
import type { Board } from "../hardware/board.js";
import { type HttpOptions, type HttpRequest, type HttpText, requestText } from "../http/client.js";
import { toJson } from "../mcp/content.js";
import type { Url } from "../net/address.js";
import { querySecrets, secretsOf } from "../settings/connection-settings.js";
import { type Setting, setting } from "../settings/settings.js";
import type { TlsSettings } from "../tls/settings.js";
import { type Activation, type Configuration, parseConfigurationReply } from "./configuration-reply.js";
import { ConfigurationStore } from "./configuration-store.js";
import { hmacSha256 } from "./hmac.js";
import { systemInformation } from "./information.js";

/** How long the server may take for its answer. */
export const CONFIGURATION_TIMEOUT_MS = 20_000;
/** How often an activation is asked after. */
export const ACTIVATION_POLL_MS = 3000;
/** After so long without an activation the configuration is fetched anew, with a new code. */
export const ACTIVATION_LIMIT_MS = 300_000;
export const MINIMUM_CONFIGURATION_RETRY_MS = 10_000;
export const MAXIMUM_CONFIGURATION_RETRY_MS = 600_000;
/** A server whose configuration no longer works is not asked more often. */
export const CONFIGURATION_REST_MS = 300_000;

export interface ConfigurationClientOptions {
	/** The server's address: the setting `ota_url`. */
	address: Setting;
	board: Board;
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
	/** There is none, neither fresh nor kept; it is asked for again where that makes sense. */
	onMissing?(): void;
	/** The code that the owner needs; undefined when it is no longer needed. */
	onActivation(activation: Activation | undefined): void;
	/** Sends a request; `requestText` where it is not given. */
	request?: (options: HttpOptions, onRequest: (request: HttpRequest) => void) => Promise<HttpText>;
}

/** Goes on trying until it has a configuration or is closed. */
export class ConfigurationClient {
	readonly #options: ConfigurationClientOptions;
	readonly #store = new ConfigurationStore();
	readonly #timeout: Timeout;
	readonly #backoff: Backoff;
	#request: HttpRequest | undefined;
	#closed = false;
	/** Runs for a while after each time that the server was asked. */
	readonly #rest: Timeout;
	/** Has the server, or the store, given a configuration in this run? */
	#given = false;
	/** How much longer an activation is asked after. */
	#activationLeftMs = 0;
	/** What the server was sent in its address, and gave before: it may repeat them. */
	#secrets: readonly string[] = [];

	constructor(options: ConfigurationClientOptions) {
		this.#options = options;
		this.#timeout = new Timeout(options.timers);
		this.#rest = new Timeout(options.timers);
		this.#backoff = new Backoff({ minimumMs: MINIMUM_CONFIGURATION_RETRY_MS, maximumMs: MAXIMUM_CONFIGURATION_RETRY_MS }, options.random);
	}

	/** Asks the server now; an address that can never work costs a line in the log. */
	start(): void {
		const { address, board, clientId, log, onMissing } = this.#options;
		const [parsed] = address.parsed;
		if (!parsed || "problem" in parsed) {
			log(`configuration: ${parsed?.problem ?? "there is no address"}; off until its settings change`);
			return onMissing?.();
		}
		const url = parsed.value as Url;
		const before = this.kept()?.connection;
		this.#secrets = [...querySecrets(url), ...(before ? secretsOf(before) : [])];
		log(`configuration: asking ${address.text.split("?")[0]}`);
		this.#rest.set(CONFIGURATION_REST_MS, () => {});
		this.post(url, toJson({ ...systemInformation(board), uuid: clientId }), (reply, problem) => {
			if (!reply) return this.failed(problem);
			const { status, location } = reply;
			// What follows the question mark may be a token.
			const moved = location ? `: moved to ${oneLine(location.split("?")[0] as string, 100)}` : "";
			if (status < 200 || status > 299) return this.failed(`the server answered ${status}${moved}`);
			let configuration: Configuration;
			try {
				configuration = this.parse(reply.text);
			} catch (error) {
				return this.failed((error as Error).message);
			}
			this.arrived(url, configuration, reply.text);
		});
	}

	/** Asks once more, as what it said does not work; not while it is being asked, nor within `CONFIGURATION_REST_MS`. */
	askAgain(): void {
		if (this.#closed || this.#rest.pending || this.#timeout.pending || this.#request) return;
		this.#options.log("configuration: the server that it names refuses this device");
		this.start();
	}

	/** Ends it. May be called twice. */
	close(): void {
		this.#closed = true;
		this.#request?.close();
		this.#request = undefined;
		this.#timeout.clear();
		this.#rest.clear();
	}

	private arrived(url: Url, configuration: Configuration, text: string): void {
		const { address, log, onActivation, onConfiguration } = this.#options;
		const { activation, problems } = configuration;
		this.#backoff.reset();
		for (const problem of problems) log(`configuration: left out ${problem}`);
		if (!activation) {
			try {
				this.#store.keep(address.text, text);
			} catch (error) {
				log(`configuration: it could not be kept: ${(error as Error).message}`);
			}
			onActivation(undefined);
			this.#given = true;
			return onConfiguration(configuration);
		}
		log(`activation: enter the code ${activation.code}${activation.message ? ` (${activation.message})` : ""}`);
		onActivation(activation);
		this.#activationLeftMs = ACTIVATION_LIMIT_MS;
		this.poll(url, proofOf(activation));
	}

	private poll(url: Url, proof: string): void {
		this.later(ACTIVATION_POLL_MS, () => {
			this.#activationLeftMs -= ACTIVATION_POLL_MS;
			this.post({ ...url, path: activationPath(url.path) }, proof, (reply, problem) => {
				if (reply?.status === 200) {
					this.#options.log("activation: done");
					return this.start();
				}
				if (reply?.status !== 202) this.#options.log(`activation: ${reply ? `the server answered ${reply.status}` : problem}`);
				if (this.#activationLeftMs > 0) return this.poll(url, proof);
				this.#options.log("activation: the code has not been used, asking for another one");
				this.start();
			});
		});
	}

	private failed(what: string): void {
		const { log, onConfiguration, onMissing } = this.#options;
		const problem = hideSecrets(what, this.#secrets);
		// What it said before may work again.
		if (this.#given) return log(`configuration: ${problem}; going on with the one before`);
		const kept = this.kept();
		if (kept) {
			this.#given = true;
			log(`configuration: ${problem}; using the last one`);
			return onConfiguration(kept);
		}
		const delay = this.#backoff.next();
		log(`configuration: ${problem}; asking again in ${(delay / 1000).toFixed(1)} s`);
		onMissing?.();
		this.later(delay, () => this.start());
	}

	private parse(text: string): Configuration {
		const [address] = this.#options.address.parsed;
		const secure = address !== undefined && "value" in address && (address.value as Url).secure;
		return parseConfigurationReply(text, !secure || setting("allow_plain") === "on");
	}

	private later(delay: number, act: () => void): void {
		if (!this.#closed) this.#timeout.set(delay, act);
	}

	private post(url: Url, body: string, done: (reply: HttpText | undefined, problem: string) => void): void {
		const { board, deviceId, clientId, timers, tls, request = requestText } = this.#options;
		const headers: [string, string][] = [
			["Device-Id", deviceId],
			["Client-Id", clientId],
			...activationHeaders(),
			["User-Agent", `${board.name}/${board.system.version}`],
			["Accept-Language", setting("language") === "zh" ? "zh-CN" : "en-US"],
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

	/** The last configuration of this server, if it is still good. The time in it is not. */
	private kept(): Configuration | undefined {
		const text = this.#store.last(this.#options.address.text);
		if (text === undefined) return undefined;
		try {
			return { ...this.parse(text), serverTimeMs: undefined };
		} catch {
			return undefined;
		}
	}
}

/** Version 2 is for devices that can prove who they are. */
function activationHeaders(): [string, string][] {
	if (!hasProof()) return [["Activation-Version", "1"]];
	return [
		["Activation-Version", "2"],
		["Serial-Number", setting("serial_number")],
	];
}

function hasProof(): boolean {
	return setting("serial_number") !== "" && setting("hmac_key") !== "";
}

/** What is sent to ask after an activation, in the reference's words. */
function proofOf({ challenge }: Activation): string {
	if (challenge === undefined || !hasProof()) return "{}";
	const digits = setting("hmac_key");
	const key = new Uint8Array(digits.length / 2);
	for (let i = 0; i < key.byteLength; i++) key[i] = Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16);
	const hmac = hmacSha256(key, utf8Bytes(challenge));
	return toJson({ algorithm: "hmac-sha256", serial_number: setting("serial_number"), challenge, hmac });
}

/** `<path>/activate`, before a query if there is one. */
function activationPath(pathAndQuery: string): string {
	const query = pathAndQuery.indexOf("?");
	const path = query < 0 ? pathAndQuery : pathAndQuery.slice(0, query);
	return `${path}${path.endsWith("/") ? "" : "/"}activate${query < 0 ? "" : pathAndQuery.slice(query)}`;
}
