// Starts a simulated device: bundles the firmware, runs it on the XS engine or on Node, and keeps it through its restarts.
import { type Bundle, type BundleOptions, bundleFirmware } from "./bundle.js";
import { type Clock, ManualClock, realClock } from "./clock.js";
import { Host, type Preferences } from "./host.js";
import type { Machine, MachineOptions, Meter } from "./machine.js";
import { createNodeMachine } from "./node-machine.js";
import { NodeNetwork } from "./node-network.js";
import type { PartDescription } from "./parts.js";
import { encodeText, type Header, pack } from "./runtime/frame.js";
import { createPositionFinder } from "./source-positions.js";
import { createXsMachine, findXsWorker } from "./xs-machine.js";

export type { Preferences, PreferenceValue } from "./host.js";
export type { Meter } from "./machine.js";

/** What a device is started with. */
export interface RunDeviceOptions {
	/** A folder's name in boards/, or a path. */
	board: string;
	/**
	 * What "mc/config" holds: url, token, device_id … Three names are for tests: `simulatedWritable` and `simulatedReadable`
	 * set how many bytes a TCP socket takes and gives at a time, `simulatedTime` what the device's clock says at its start, in
	 * milliseconds since 1970 (0: as on a chip that wakes up); without it, it is the host's.
	 */
	config: Record<string, unknown>;
	/** "auto", the default: XS, or Node where there is no worker. */
	engine?: "auto" | "xs" | "node" | undefined;
	/** What "preference" holds at first; it is copied. */
	preferences?: Preferences | undefined;
	/** What the module "Resource" has, by name: what a manifest puts into flash. */
	resources?: Readonly<Record<string, Uint8Array>> | undefined;
	/** The main module, from the project's root; src/main.ts when absent. */
	entry?: string | undefined;
	/** Modules of src/features that the build leaves out, by name. */
	without?: readonly string[] | undefined;
	/** Makes the code of the script, see `BundleOptions`. */
	make?: BundleOptions["make"];
	/** "real", the default, or "manual": timers wait for `advance`, except those that are due at once. */
	clock?: "real" | "manual" | undefined;
	/** A line of the log, without its end. */
	onLog?(line: string): void;
	/** What a simulated part is, before its first state; again after a restart. */
	onDescribe?(part: string, description: PartDescription): void;
	/** The state of a simulated part, whenever it changes. */
	onShow?(part: string, state: unknown): void;
	/** The firmware restarts the machine. */
	onRestart?(): void;
}

/** A device that was started. */
export interface RunningDevice {
	readonly engine: "xs" | "node";
	/** Why the engine is not XS. */
	readonly engineReason: string | undefined;
	/** The settings as they are now. */
	readonly preferences: Preferences;
	/** Resolves when the device is over: closed (ok), or failed for the reason given. */
	readonly exited: Promise<{ ok: boolean; reason: string }>;
	/**
	 * Ends the device within a second. The firmware is told first, by `globalThis.closeFirmware` where it has one, and may
	 * take leave of its peers. May be called twice.
	 */
	close(): Promise<void>;
	/** Has the device say a sentence to the assistant of its main session; what comes of it is shown as the part "assistant". */
	say(text: string): void;
	/** Does something to a simulated part, such as `{pressed: true}` to a button; what the part does not know is ignored. */
	input(part: string, input: Readonly<Record<string, unknown>>): void;
	/** Evaluates a script in the machine. Resolves with its value, awaited and passed on as JSON; rejects with what it throws. */
	evaluate(source: string): Promise<unknown>;
	/** Moves the manual clock, runs what is due on the way, and waits until the firmware has nothing more to do at once. */
	advance(milliseconds: number): Promise<void>;
	/** Collects garbage, where the engine can. */
	collectGarbage(): Promise<void>;
	/** What the engine has used in this life of the machine, as far as it is known. */
	meter(): Meter;
}

const CLOSE_LIMIT_MS = 900;

/**
 * Starts a device; resolves when its main module has run.
 * @throws Error (as rejection) when the firmware does not build, or there is no worker and `engine` is "xs"
 */
export async function runDevice(options: RunDeviceOptions): Promise<RunningDevice> {
	const device = new Device(options);
	await device.start();
	return device;
}

interface Life {
	machine: Machine;
	host: Host;
	queue: Uint8Array[];
	started: boolean;
	busy: boolean;
	over: boolean;
}

interface Evaluation {
	resolve(value: unknown): void;
	reject(reason: Error): void;
}

class Device implements RunningDevice {
	engine: "xs" | "node" = "xs";
	engineReason: string | undefined;
	readonly preferences: Preferences;
	readonly exited: Promise<{ ok: boolean; reason: string }>;
	#options: RunDeviceOptions;
	#clock: Clock;
	#worker = "";
	#bundle: Bundle | undefined;
	#withPositions = (line: string) => line;
	#life: Life | undefined;
	#line = "";
	#exit: ((end: { ok: boolean; reason: string }) => void) | undefined;
	#closing: Promise<void> | undefined;
	#evaluations = new Map<number, Evaluation>();
	#lastEvaluation = 0;
	#onIdle: (() => void)[] = [];

	constructor(options: RunDeviceOptions) {
		this.#options = options;
		this.#clock = options.clock === "manual" ? new ManualClock() : realClock;
		this.preferences = structuredClone(options.preferences ?? {});
		this.exited = new Promise((resolve) => {
			this.#exit = resolve;
		});
	}

	async start(): Promise<void> {
		this.#chooseEngine();
		const bundling = bundleFirmware(this.#options);
		bundling.catch(() => {});
		const life = await this.#createLife();
		try {
			this.#bundle = await bundling;
			this.#withPositions = createPositionFinder(this.#bundle);
		} catch (error) {
			this.#end(life);
			throw error;
		}
		await this.#begin(life);
	}

	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	say(text: string): void {
		this.input("assistant", { say: text });
	}

	input(part: string, input: Readonly<Record<string, unknown>>): void {
		this.#post(["input", part, input]);
	}

	async evaluate(source: string): Promise<unknown> {
		const id = ++this.#lastEvaluation;
		return new Promise((resolve, reject) => {
			if (!this.#life) return reject(new Error("the device is over"));
			this.#evaluations.set(id, { resolve, reject });
			this.#post(["evaluate", id], encodeText(source));
		});
	}

	async advance(milliseconds: number): Promise<void> {
		const clock = this.#clock;
		if (!(clock instanceof ManualClock)) throw new Error("only the manual clock can be moved");
		await this.#idle(clock);
		await clock.advance(milliseconds, () => this.#idle(clock));
	}

	async collectGarbage(): Promise<void> {
		this.#post(["collect"]);
		// The collection itself is in the meter after the next event.
		await this.evaluate("0");
	}

	meter(): Meter {
		return this.#life?.machine.meter() ?? {};
	}

	#chooseEngine(): void {
		const { engine = "auto" } = this.#options;
		if (engine === "node") {
			this.#useNode("Node was asked for");
			return;
		}
		try {
			this.#worker = findXsWorker();
		} catch (error) {
			if (engine === "xs") throw error;
			this.#useNode((error as Error).message);
		}
	}

	#useNode(reason: string): void {
		this.engine = "node";
		this.engineReason = reason;
	}

	async #createLife(): Promise<Life> {
		const life = { queue: [], started: false, busy: false, over: false } as unknown as Life;
		const alive = <A extends unknown[]>(tell: (...values: A) => void) => {
			return (...values: A) => {
				if (!life.over) tell(...values);
			};
		};
		life.host = new Host({
			config: this.#options.config,
			resources: this.#options.resources,
			preferences: this.preferences,
			clock: this.#clock,
			network: (options) => new NodeNetwork(options),
			post: (event) => {
				if (life.over) return;
				life.queue.push(event);
				void this.#pump(life);
			},
			onTrace: alive((text) => this.#trace(text)),
			onDescribe: alive((part, description) => this.#options.onDescribe?.(part, description)),
			onShow: alive((part, state) => this.#options.onShow?.(part, state)),
			onRestart: alive(() => void this.#restart(life)),
			onAbort: alive((what, reason) => this.#fail(life, `XS abort: ${what} ${reason}`)),
			onEvaluated: (id, ok, result) => this.#evaluated(id, ok, result),
		});
		life.machine = await this.#createMachine({
			onCommand: (command) => life.host.command(command),
			onOutput: alive((line) => this.#log(line)),
		});
		void life.machine.ended.then(alive((reason) => this.#fail(life, reason)));
		return life;
	}

	async #createMachine(options: MachineOptions): Promise<Machine> {
		if (this.engine === "xs")
			try {
				return await createXsMachine(this.#worker, options);
			} catch (error) {
				if (this.#options.engine === "xs" || this.#bundle) throw error;
				this.#useNode((error as Error).message);
			}
		return createNodeMachine(options);
	}

	async #begin(life: Life): Promise<void> {
		this.#life = life;
		life.busy = true;
		try {
			await life.machine.run(this.#bundle?.code ?? "");
		} catch (error) {
			this.#fail(life, `XS abort: unhandled exception ${(error as Error).message}`);
		}
		life.busy = false;
		life.started = true;
		void this.#pump(life);
	}

	async #pump(life: Life): Promise<void> {
		if (life.busy || !life.started) return;
		life.busy = true;
		while (!life.over) {
			const event = life.queue.shift();
			if (!event) break;
			try {
				await life.machine.deliver(event);
			} catch (error) {
				this.#fail(life, (error as Error).message);
			}
		}
		life.busy = false;
		for (const resolve of this.#onIdle.splice(0)) resolve();
	}

	/** Resolves when no event is on its way and nothing is due at once. */
	async #idle(clock: ManualClock): Promise<void> {
		while (this.#life && (clock.busy || this.#life.busy || this.#life.queue.length)) {
			if (this.#life.busy) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
			else await new Promise((resolve) => setImmediate(resolve));
		}
	}

	#post(header: Header, bytes?: Uint8Array): void {
		const life = this.#life;
		if (!life || life.over) return;
		life.queue.push(pack(header, bytes));
		void this.#pump(life);
	}

	async #restart(life: Life): Promise<void> {
		this.#end(life);
		this.#flushLog();
		this.#options.onRestart?.();
		if (this.#closing) return;
		try {
			const next = await this.#createLife();
			if (this.#closing) this.#end(next);
			else await this.#begin(next);
		} catch (error) {
			this.#finish(false, (error as Error).message);
		}
	}

	#end(life: Life): void {
		life.over = true;
		life.host.close();
		life.machine.kill();
		for (const { reject } of this.#evaluations.values()) reject(new Error("the machine has ended"));
		this.#evaluations.clear();
		for (const resolve of this.#onIdle.splice(0)) resolve();
	}

	#fail(life: Life, reason: string): void {
		if (life.over) return;
		this.#end(life);
		this.#flushLog();
		for (const line of reason.split("\n")) this.#log(line);
		this.#finish(false, reason.split("\n")[0] as string);
	}

	#finish(ok: boolean, reason: string): void {
		this.#life = undefined;
		this.#exit?.({ ok, reason });
	}

	async #close(): Promise<void> {
		const life = this.#life;
		if (life && !life.over) {
			let timer: ReturnType<typeof setTimeout> | undefined;
			const limit = new Promise<void>((resolve) => {
				timer = setTimeout(resolve, CLOSE_LIMIT_MS);
			});
			this.#post(["close"]);
			await Promise.race([this.#leave(life), limit]);
			this.#end(life);
			await Promise.race([life.host.quiet(), limit]);
			clearTimeout(timer);
			life.host.destroy();
			this.#flushLog();
		}
		this.#finish(true, "closed");
	}

	/** Resolves when the firmware has heard of the end and its sockets are gone, or its life is over. */
	async #leave(life: Life): Promise<void> {
		if (life.busy) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
		const leaving = life.over ? false : await this.evaluate("typeof globalThis.closeFirmware === 'function'").catch(() => false);
		if (leaving && !life.over) await life.host.quiet();
	}

	#evaluated(id: number, ok: boolean, result: string): void {
		const evaluation = this.#evaluations.get(id);
		this.#evaluations.delete(id);
		if (ok) evaluation?.resolve(JSON.parse(result));
		else evaluation?.reject(new Error(result));
	}

	#trace(text: string): void {
		const lines = (this.#line + text).split("\n");
		this.#line = lines.pop() as string;
		for (const line of lines) this.#log(line);
	}

	#flushLog(): void {
		if (this.#line) this.#trace("\n");
	}

	#log(line: string): void {
		this.#options.onLog?.(this.#withPositions(line));
	}
}
