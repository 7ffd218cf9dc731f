// What a device promises about every fault of its connections, whatever machine it runs on.

import { describe, expect, test } from "@jest/globals";
import { MAXIMUM_ENDPOINT_RECONNECT_MS, MINIMUM_ENDPOINT_RECONNECT_MS } from "../../src/session/endpoint.js";
import { MAXIMUM_FRAMED_RECONNECT_MS, MINIMUM_FRAMED_RECONNECT_MS } from "../../src/session/framed.js";
import { MAXIMUM_RECONNECT_MS, MINIMUM_RECONNECT_MS } from "../../src/session/xiaozhi.js";
import { MAXIMUM_CONFIGURATION_RETRY_MS, MINIMUM_CONFIGURATION_RETRY_MS } from "../../src/system/configuration-client.js";
import { ACCOUNT } from "../support/brokers.js";
import type { Bench, Journal } from "./bench.js";
import { type Case, FAULTS, SECRET } from "./faults.js";
import { type Column, ownCa, Peer, TOPICS } from "./peer.js";
import { type Services, startServices, TOKENS } from "./services.js";

const LIMIT_MS = 120_000;
/** What the clock of the test and a line's one decimal leave open. */
const SLACK_MS = 500;
/** No fault is put up with for longer. */
const PATIENCE_MS = 100_000;
/** Longer than any wait before another try. */
const LONGEST_WAIT_MS = 700_000;

const STANDING: readonly Column[] = ["session", "endpoint", "mqtt", "framed"];
const REQUESTS: readonly Column[] = ["configuration", "firmware"];

/** The shortest and the longest wait before another try; a download is not tried again by itself. */
export const RETRIES: { readonly [column in Column]?: readonly [minimumMs: number, maximumMs: number] } = {
	session: [MINIMUM_RECONNECT_MS, MAXIMUM_RECONNECT_MS],
	endpoint: [MINIMUM_ENDPOINT_RECONNECT_MS, MAXIMUM_ENDPOINT_RECONNECT_MS],
	mqtt: [MINIMUM_RECONNECT_MS, MAXIMUM_RECONNECT_MS],
	framed: [MINIMUM_FRAMED_RECONNECT_MS, MAXIMUM_FRAMED_RECONNECT_MS],
	configuration: [MINIMUM_CONFIGURATION_RETRY_MS, MAXIMUM_CONFIGURATION_RETRY_MS],
};

/** The address of a server on this computer, as the device is told it. */
export const ADDRESSES: { readonly [column in Column]: (port: number, secure: boolean) => string } = {
	session: (port, secure) => `${secure ? "wss://localhost" : "ws://127.0.0.1"}:${port}/xiaozhi/v1/?key=${SECRET}`,
	endpoint: (port, secure) => `${secure ? "wss://localhost" : "ws://127.0.0.1"}:${port}/mcp/?token=${SECRET}`,
	mqtt: (port, secure) => `${secure ? "mqtts://localhost" : "mqtt://127.0.0.1"}:${port}`,
	framed: (port, secure) => `${secure ? "tls://localhost" : "tcp://127.0.0.1"}:${port}`,
	configuration: (port, secure) => `${secure ? "https://localhost" : "http://127.0.0.1"}:${port}/ota/?key=${SECRET}`,
	firmware: (port, secure) => `${secure ? "https://localhost" : "http://127.0.0.1"}:${port}/firmware.bin?key=${SECRET}`,
};

type Addresses = { readonly [column in Column]: string } & { readonly spare: string };

/** The device's settings, as the build or its owner gives them. */
function settingsOf(addresses: Addresses, asksForConfiguration: boolean): Record<string, string> {
	return {
		url: addresses.session,
		token: TOKENS.session,
		endpoint: `${addresses.endpoint} ${addresses.spare}`,
		mqtt_endpoint: addresses.mqtt,
		mqtt_username: ACCOUNT.username,
		mqtt_password: ACCOUNT.password,
		mqtt_publish: TOPICS.fromDevice,
		mqtt_subscribe: TOPICS.toDevice,
		framed_address: addresses.framed,
		framed_token: TOKENS.framed,
		certificate: "own-ca.der",
		// The upgrades are asked for without TLS.
		owner_tools: "on",
		...(asksForConfiguration ? { ota_url: addresses.configuration } : {}),
	};
}

/** What the log calls a connection. */
const nameOf = (column: Column) => (column === "endpoint" ? "endpoint 1" : column === "firmware" ? "upgrade" : column);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Words of a case as a pattern. */
const patternOf = (says: string) => escaped(says).replace(/\bN\b/g, "\\d+").replace(/…$/, ".*");

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What a server itself said stays in the log: a caller could use the device to look around its network. */
function toldToCaller(says: string): string {
	if (says.startsWith("TLS failed")) return "TLS failed; the device's log says why";
	const quote = says.indexOf('"');
	return quote < 0 ? says : `${says.slice(0, quote).replace(": ", "").trimEnd()}; the device's log says more`;
}

/** The faulty connections, and what is wrong with each. */
type Cases = { readonly [column in Column]?: Case | undefined };

/** A device with some of its connections faulty and the rest good. */
class Trial {
	readonly #bench: Bench;
	readonly #cases: Cases;
	readonly #columns: readonly Column[];
	readonly #services: Services;
	readonly #peers: { readonly [column in Column | "spare"]: Peer };

	static async prepare(bench: Bench, columns: readonly Column[], cases: Cases): Promise<Trial> {
		const addresses = {} as Record<Column | "spare", string>;
		const services = await startServices(() => ({ websocket: { url: addresses.session, token: TOKENS.session } }));
		const peers = {} as Record<Column | "spare", Peer>;
		const settings: Record<string, string> = {};
		for (const column of [...STANDING, ...REQUESTS]) {
			const { fault, certificate, secure = false, gone, address, settings: other } = cases[column] ?? {};
			const peer = await Peer.listen({ column, port: services[column].port, seconds: bench.seconds, fault, certificate, secure });
			peers[column] = peer;
			addresses[column] = address?.replace("PORT", String(peer.port)) ?? ADDRESSES[column](peer.port, secure);
			if (gone) await peer.leave();
			Object.assign(settings, other);
		}
		peers.spare = await Peer.listen({ column: "endpoint", port: services.spare.port, seconds: bench.seconds });
		addresses.spare = ADDRESSES.endpoint(peers.spare.port, false);
		const asks = columns.includes("configuration") && cases.configuration !== undefined;
		await bench.launch({ settings: { ...settingsOf(addresses, asks), ...settings }, resources: { "own-ca.der": ownCa.bytes } });
		return new Trial(bench, columns, cases, services, peers, addresses);
	}

	readonly #addresses: Addresses;

	private constructor(
		bench: Bench,
		columns: readonly Column[],
		cases: Cases,
		services: Services,
		peers: { readonly [column in Column | "spare"]: Peer },
		addresses: Addresses,
	) {
		this.#bench = bench;
		this.#columns = columns;
		this.#cases = cases;
		this.#services = services;
		this.#peers = peers;
		this.#addresses = addresses;
	}

	get #journal(): Journal {
		return this.#bench.journal;
	}

	/** The connections with nothing wrong. */
	get #good(): readonly (Column | "spare")[] {
		return [...STANDING.filter((column) => !this.#cases[column]), "spare"];
	}

	/** Looks at every faulty connection, and at the good ones meanwhile. */
	async run(act: () => Promise<unknown> = () => this.#goThrough()): Promise<void> {
		try {
			await this.#bench.until(act());
			const lines = this.#journal.entries.map(({ line }) => line);
			expect(lines.filter((line) => /abort|unhandled/i.test(line))).toEqual([]);
			expect(lines.filter((line) => line.includes(SECRET))).toEqual([]);
		} catch (error) {
			const log = this.#journal.entries.map(({ line, at }) => `${(at / 1000).toFixed(1).padStart(8)}  ${line}`).join("\n");
			throw new Error(`${error instanceof Error ? error.message : error}\n\nThe log:\n${log}`);
		}
	}

	async close(): Promise<void> {
		await this.#bench.close();
		for (const peer of Object.values(this.#peers)) await peer.close();
		for (const service of Object.values(this.#services)) await service.close();
	}

	async #goThrough(): Promise<void> {
		const faulty = this.#columns.filter((column) => this.#cases[column]);
		const greeted = Promise.all(this.#good.map((column) => this.#services[column].greet()));
		const checks = faulty.filter((column) => column !== "firmware").map((column) => this.#check(column, greeted));
		await greeted;
		await this.#callGood();
		await Promise.all(checks);
		await this.#callGood();
		if (this.#cases.firmware && faulty.includes("firmware")) await this.#upgrade(this.#cases.firmware);
	}

	/** The same connections as ever still answer. */
	async #callGood(): Promise<void> {
		for (const column of this.#good) {
			await this.#services[column].call();
			expect([column, this.#peers[column].connections.map(({ open }) => open)]).toEqual([column, [true]]);
		}
	}

	async #check(column: Column, greeted: Promise<unknown>): Promise<void> {
		const it = this.#cases[column] as Case;
		if (it.never) await this.#staysOff(column, it);
		else await this.#triesAgain(column, it, greeted);
	}

	async #staysOff(column: Column, { says }: Case): Promise<void> {
		const name = nameOf(column);
		const line = new RegExp(`^${name}: ${patternOf(says)}; off until its settings change$`);
		await this.#journal.find(line);
		await this.#bench.at(this.#bench.seconds.now() + LONGEST_WAIT_MS);
		const lines = this.#linesOf(name);
		expect(lines).toEqual([expect.stringMatching(line)]);
		expect(this.#peers[column].connections).toEqual([]);
	}

	async #triesAgain(column: Column, it: Case, greeted: Promise<unknown>): Promise<void> {
		const name = nameOf(column);
		const peer = this.#peers[column];
		const service = this.#services[column];
		const line = this.#failureOf(column);
		const seen = it.gone || it.address !== undefined ? 0 : 1;
		const { after } = it.fault ?? {};
		// Who has shown that it is right is tried again soon.
		const known = after === "ready" || (column === "framed" && after === "welcome");
		const waits = await this.failures(column, it.slow ? 1 : this.#bench.tries, known, (n) => {
			expect(peer.connections.length).toBe((n + 1) * seen);
			return n === 0 ? greeted : undefined;
		});
		if (!it.address && (waits.at(-1)?.delay as number) <= this.#bench.longestWaitMs) {
			const count = peer.connections.length;
			await peer.mend();
			await service.greet();
			await service.call();
			expect(peer.connections.length).toBe(count + 1);
		}
		const allowed = [line, ...(it.also ?? []).map((words) => new RegExp(`^${name}: ${escaped(words)}$`)), new RegExp(`^${name}: (ready$|asking )`)];
		expect(this.#linesOf(name).filter((text) => !allowed.some((pattern) => pattern.test(text)))).toEqual([]);
	}

	/**
	 * Waits until a connection has failed so often, and looks at the waits: each as long as announced, and longer and longer
	 * within their bounds.
	 * @param known has the server shown itself to be the right one, so that each wait is the first one again?
	 * @param onFailure called after each failure; what it returns is waited for
	 * @returns the waits, in milliseconds, each with the longest that it could have been
	 */
	async failures(
		column: Column,
		count: number,
		known = false,
		onFailure: (n: number) => Promise<unknown> | undefined = () => undefined,
	): Promise<{ delay: number; most: number }[]> {
		const [minimum, maximum] = RETRIES[column] as readonly [number, number];
		const failure = this.#failureOf(column);
		const { connections } = this.#peers[column];
		const delays: { delay: number; most: number }[] = [];
		let due = 0;
		let from = 0;
		for (let n = 0; n < count; n++) {
			const { match, at, next } = await this.#journal.find(failure, from);
			from = next;
			expect(at - (connections[n]?.at ?? at)).toBeLessThanOrEqual(PATIENCE_MS);
			const delay = Number(match[1]) * 1000;
			const most = Math.min(maximum, minimum * 2 ** (known ? 1 : n + 1));
			delays.push({ delay, most });
			expect(delay).toBeGreaterThanOrEqual(most / 2);
			expect(delay).toBeLessThanOrEqual(most);
			await onFailure(n);
			// Where there is nobody to see it, the next failure tells of the next try.
			const tried = connections[n]?.at;
			if (n > 0) expect(tried ?? at).toBeGreaterThanOrEqual(due - SLACK_MS);
			if (n > 0 && tried !== undefined) expect(tried).toBeLessThanOrEqual(due + SLACK_MS);
			due = at + delay;
		}
		return delays;
	}

	/** The line that tells why a connection failed, and when it is tried again. */
	#failureOf(column: Column): RegExp {
		const again = column === "configuration" ? "asking again" : "connecting again";
		return new RegExp(`^${nameOf(column)}: ${patternOf((this.#cases[column] as Case).says)}; ${again} in (\\d+\\.\\d) s$`);
	}

	/** The download is asked for twice in vain, and once more when the server has been mended. */
	async #upgrade({ says, begun, never, address }: Case): Promise<void> {
		const url = this.#addresses.firmware;
		const line = new RegExp(`^upgrade: ${patternOf(says)}; the running firmware stays$`);
		const error = new RegExp(`^-32000 ${patternOf(sentence(toldToCaller(says)))}$`);
		let from = 0;
		for (let n = 0; n < 2; n++) {
			const call = this.#services.session.callTool("self.upgrade_firmware", { url });
			if (begun) expect(await call).toMatch(/^Downloading/);
			else expect(await call.catch(({ message }) => message)).toMatch(error);
			from = (await this.#journal.find(line, from)).next;
			await this.#callGood();
		}
		const own = this.#linesOf("upgrade").filter((text) => !/^upgrade: (asking |\d+ %$|firmware images are not signed)/.test(text));
		expect(own).toEqual([expect.stringMatching(line), expect.stringMatching(line)]);
		if (never) expect(this.#peers.firmware.connections).toEqual([]);
		if (never || address !== undefined) return;
		await this.#peers.firmware.mend();
		expect(await this.#services.session.callTool("self.upgrade_firmware", { url })).toMatch(/^Downloading 100000 bytes, version 2\.3\.4\./);
	}

	#linesOf(name: string): string[] {
		return this.#journal.entries.map(({ line }) => line).filter((line) => line.startsWith(`${name}: `));
	}
}

/** The suite; `createBench` makes a place for one device. */
export function describeFaults(machine: string, createBench: () => Bench, chosen: (it: Case, column: Column) => boolean = () => true): void {
	describe(`a device on ${machine}`, () => {
		for (const fault of FAULTS)
			for (const columns of [STANDING, REQUESTS]) {
				const cases = (column: Column) => (fault[column] ?? []).filter((it) => chosen(it, column));
				const count = Math.max(...columns.map((column) => cases(column).length));
				for (let i = 0; i < count; i++) {
					const own: Cases = Object.fromEntries(columns.map((column) => [column, cases(column)[i]]));
					const where = columns.filter((column) => own[column]).join(", ");
					test(`outlives ${fault.title}: ${where}`, () => tryOut(createBench(), columns, own), LIMIT_MS);
				}
			}
	});
}

/** What holds over long times, for machines whose clock can be moved. */
export function describeRetries(machine: string, createBench: () => Bench): void {
	const dead: Case = { gone: true, says: "could not connect to 127.0.0.1:N" };
	const deadBut = (good?: Column): Cases => Object.fromEntries(STANDING.filter((column) => column !== good).map((column) => [column, dead]));

	describe(`a device on ${machine}`, () => {
		test.each(STANDING)("keeps its good connection while all others fail: %s", (good) => tryOut(createBench(), STANDING, deadBut(good)), LIMIT_MS);

		test(
			"tries again later and later, up to the longest wait, with jitter",
			() =>
				tryOut(createBench(), STANDING, deadBut(), async (trial) => {
					const all = await Promise.all(STANDING.map((column) => trial.failures(column, 12)));
					for (const [i, column] of STANDING.entries()) {
						const most = all[i]?.map(({ most }) => most) as number[];
						expect([column, most.slice(0, 5), most.at(-1)]).toEqual([column, [2000, 4000, 8000, 16_000, 32_000], RETRIES[column]?.[1]]);
					}
					// Of 48 waits hardly two take the same part of their longest.
					expect(new Set(all.flat().map(({ delay, most }) => Math.round((delay / most) * 100))).size).toBeGreaterThan(10);
				}),
			LIMIT_MS,
		);
	});
}

async function tryOut(bench: Bench, columns: readonly Column[], cases: Cases, act?: (trial: Trial) => Promise<void>): Promise<void> {
	const trial = await Trial.prepare(bench, columns, cases);
	try {
		await trial.run(act && (() => act(trial)));
	} finally {
		await trial.close();
	}
}
