// What surrounds one life of a simulated machine: answers the firmware's commands with timers and settings, and those of the network by
// the network that it is given. It runs on Node and in a browser's worker.
import type { Clock } from "./clock.js";
import { type CreateNetwork, known, type Network, type Reply } from "./network.js";
import type { PartDescription } from "./parts.js";
import { decodeText, type Header, pack, unpack } from "./runtime/frame.js";

/** A setting's value; bytes are what the firmware hands over as an ArrayBuffer. */
export type PreferenceValue = string | number | boolean | Uint8Array;

/** Settings by domain and key. */
export type Preferences = Record<string, Record<string, PreferenceValue>>;

/** What the host needs, and whom it tells. */
export interface HostOptions {
	config: Readonly<Record<string, unknown>>;
	/** What the module "Resource" has, by name. */
	resources?: Readonly<Record<string, Uint8Array>> | undefined;
	/** Read and changed in place. */
	preferences: Preferences;
	clock: Clock;
	network: CreateNetwork;
	/** Takes an event for the machine. */
	post(event: Uint8Array): void;
	/** Text of the firmware's log, cut anywhere. */
	onTrace(text: string): void;
	onDescribe(part: string, description: PartDescription): void;
	onShow(part: string, state: unknown): void;
	/** The firmware asked for a restart; the machine must not run on. */
	onRestart(): void;
	/** The firmware failed, `what` as hardware calls it; the machine must not run on. */
	onAbort(what: string, reason: string): void;
	/** An `evaluate` is done; `result` is JSON, or the error in words. */
	onEvaluated(id: number, ok: boolean, result: string): void;
}

/** Host of one machine. */
export class Host {
	#options: HostOptions;
	#timers = new Map<number, () => void>();
	#network: Network;
	#closed = false;

	constructor(options: HostOptions) {
		this.#options = options;
		const { config, network, onTrace } = options;
		this.#network = network({ config, onTrace, post: (header, bytes) => this.#post(header, bytes) });
	}

	/** Answers a command; no answer means that the machine has come to its end. */
	command(command: Uint8Array): Uint8Array | undefined {
		try {
			const { header, bytes } = unpack(command);
			const reply = this.#answer(header, bytes);
			if (reply instanceof Uint8Array) return pack(["bytes"], reply);
			return reply && ("header" in reply ? pack(reply.header, reply.bytes) : pack(reply));
		} catch (error) {
			return pack(["error", error instanceof Error ? error.message : String(error)]);
		}
	}

	/** Resolves when no socket is left, open or with bytes to go out. */
	quiet(): Promise<void> {
		return this.#network.quiet();
	}

	/** Ends timers and sockets; what was written still goes out. May be called twice. */
	close(): void {
		this.#closed = true;
		for (const cancel of this.#timers.values()) cancel();
		this.#timers.clear();
		this.#network.close();
	}

	/** Cuts what `close` lets finish. */
	destroy(): void {
		this.close();
		this.#network.destroy();
	}

	#answer(header: Header, bytes: Uint8Array): Reply | undefined {
		const { config, preferences, clock, onTrace, onDescribe, onShow, onRestart, onAbort, onEvaluated } = this.#options;
		if (this.#closed) return undefined;
		const [kind, ...values] = header;
		switch (kind) {
			case "trace":
				onTrace(decodeText(bytes));
				break;
			case "timer":
				this.#setTimer(values[0] as number, values[1] as number);
				break;
			case "untimer":
				this.#timers.get(values[0] as number)?.();
				this.#timers.delete(values[0] as number);
				break;
			case "ticks":
				return ["ok", Math.trunc(clock.now()) | 0];
			case "config":
				return ["ok", config];
			case "resource": {
				const { resources = {} } = this.#options;
				const name = values[0] as string;
				return Object.hasOwn(resources, name) ? resources[name] : ["ok"];
			}
			case "preference.set": {
				const [domain, key, value] = values as [string, string, PreferenceValue | undefined];
				const keys = Object.hasOwn(preferences, domain) ? preferences[domain] : undefined;
				preferences[domain] = { ...keys, [key]: value ?? bytes.slice() };
				break;
			}
			case "preference.get": {
				const keys = Object.hasOwn(preferences, values[0] as string) ? preferences[values[0] as string] : undefined;
				const value = keys && Object.hasOwn(keys, values[1] as string) ? keys[values[1] as string] : undefined;
				return value instanceof Uint8Array ? value : known(value);
			}
			case "preference.delete":
				delete preferences[values[0] as string]?.[values[1] as string];
				break;
			case "preference.keys":
				return ["ok", Object.keys(preferences[values[0] as string] ?? {})];
			case "describe":
				onDescribe(values[0] as string, values[1] as PartDescription);
				break;
			case "show":
				onShow(values[0] as string, values[1]);
				break;
			case "evaluated":
				onEvaluated(values[0] as number, values[1] as boolean, decodeText(bytes));
				break;
			case "restart":
				onRestart();
				return undefined;
			case "abort":
				onAbort(values[0] as string, values[1] as string);
				return undefined;
			default:
				return this.#network.answer(header, bytes);
		}
		return ["ok"];
	}

	#post(header: Header, bytes?: Uint8Array): void {
		if (!this.#closed) this.#options.post(pack(header, bytes));
	}

	#setTimer(id: number, milliseconds: number): void {
		const cancel = this.#options.clock.set(milliseconds, () => {
			this.#timers.delete(id);
			this.#post(["timer", id]);
		});
		this.#timers.set(id, cancel);
	}
}
