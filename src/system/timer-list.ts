// Timers and reminders: sentences and tool calls that are due at a time, kept over a restart, run without a network.

import { hasMoreBrackets } from "../base/json.js";
import { isWellFormed } from "../base/text.js";
import { Timeout, type Timers } from "../base/timers.js";
import type { DeviceTimers, ListedTimer, NewTimer } from "../hardware/device.js";
import { ToolError } from "../mcp/content.js";
import { isObject } from "../mcp/schema.js";
import { PreferenceStore } from "../settings/preference-store.js";
import { EARLIEST_CLOCK_MS } from "./clock.js";

export const MAX_TIMERS = 16;
/** A timer that repeats waits at least so long in between. */
export const MIN_REPEAT_S = 60;
/** No timer is set for later: a year and a day. */
export const MAX_AHEAD_MS = 367 * 86_400_000;
/** The longest sentence and the longest arguments of a tool, in characters: a timer has to fit into an entry of the store. */
export const MAX_TIMER_TEXT = 200;
/** How often the clock is looked at, since it can be set at any time. */
const LOOK_MS = 30_000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export interface TimerListOptions {
	timers: Timers;
	log(line: string): void;
	/** Says a sentence to the assistant. */
	say(text: string): void;
	/** What is wrong with such a call; undefined where a model may make it. */
	checkCall(tool: string, args: { [name: string]: unknown }): string | undefined;
	/** Makes a call. @param done is told what went wrong, or undefined */
	call(tool: string, args: { [name: string]: unknown }, done: (error: string | undefined) => void): void;
	/** The member names that arguments may have. */
	names(): readonly string[];
	/** Tells the peers that a timer is due. */
	notify(params: { readonly [name: string]: unknown }): void;
	/** Minutes that local time is ahead of UTC, as the owner has set them. */
	zone?: number | undefined;
	/** In milliseconds since 1970; `Date.now` where it is not given. */
	now?: () => number;
}

/** As it is kept, under its number. */
interface Kept {
	/** In milliseconds since 1970, or since the chip woke up while its clock is not set. */
	due: number;
	/** The period of one that repeats, in milliseconds; 0 for once. */
	readonly every: number;
	readonly say: string;
	readonly tool: string;
	/** As JSON text. */
	readonly args: string;
}

const NAMES: readonly string[] = Object.freeze(["due", "every", "say", "tool", "args"]);

export class TimerList implements DeviceTimers {
	readonly #options: TimerListOptions;
	readonly #store = new PreferenceStore("mcp-timers");
	readonly #look: Timeout;
	/** By number, from 1 on. */
	readonly #timers: (Kept | undefined)[] = [];
	readonly #now: () => number;
	/** The clock when it was looked at last, and how long it was not to be looked at from then on. */
	#seen: number;
	#waited = 0;
	#zone: number;

	/** Takes up the timers that were kept. What came due while the device was off is told once. */
	constructor(options: TimerListOptions) {
		this.#options = options;
		this.#look = new Timeout(options.timers);
		this.#now = options.now ?? Date.now;
		this.#seen = this.#now();
		this.#zone = options.zone ?? this.#store.integer("zone", -720, 840, 0);
		for (let id = 1; id <= MAX_TIMERS; id++) this.#timers[id] = this.read(id);
		this.tellMissed();
		this.next();
	}

	/** Somebody knows how many minutes local time is ahead of UTC; what the owner has set goes before. */
	setZone(minutes: number): void {
		if (this.#options.zone !== undefined || !Number.isInteger(minutes) || minutes < -720 || minutes > 840) return;
		this.#zone = minutes;
		this.keep("zone", minutes);
	}

	set({ seconds, at, say = "", tool = "", args = "{}", repeat }: NewTimer): ListedTimer {
		if ((seconds === undefined) === (at === undefined)) throw new ToolError("Give either seconds or at");
		if (!say === !tool) throw new ToolError("Give either say or tool");
		if (!isWellFormed(say) || !isWellFormed(args)) throw new ToolError("Half of a character cannot be kept");
		const id = this.free();
		this.catchUp();
		if (tool) {
			const problem = this.#options.checkCall(tool, this.parse(args));
			if (problem !== undefined) throw new ToolError(problem);
		}
		const now = this.#now();
		let due: number;
		let every = 0;
		if (at !== undefined) {
			({ due, every } = this.timeOf(at, now));
			if (repeat && !every) throw new ToolError("A timer that repeats has a time of day, as in 22:00");
		} else {
			every = (seconds as number) * 1000;
			due = now + every;
		}
		if (repeat && every < MIN_REPEAT_S * 1000) throw new ToolError(`A timer that repeats waits at least ${MIN_REPEAT_S} seconds`);
		if (due - now > MAX_AHEAD_MS) throw new ToolError("That is more than a year ahead");
		const kept: Kept = { due, every: repeat ? every : 0, say, tool, args: tool ? args : "" };
		try {
			this.#store.set(`t${id}`, JSON.stringify(kept));
		} catch (error) {
			throw new ToolError(`The timer cannot be kept: ${(error as Error).message}`);
		}
		this.#timers[id] = kept;
		this.next();
		return this.listed(id, kept);
	}

	list(): ListedTimer[] {
		const list: ListedTimer[] = [];
		this.#timers.forEach((kept, id) => {
			if (kept) list.push(this.listed(id, kept));
		});
		return list;
	}

	cancel(id: number): void {
		if (!this.#timers[id]) throw new ToolError(`There is no timer ${id}`);
		this.forget(id);
		this.next();
	}

	/** May be called twice. */
	close(): void {
		this.#look.clear();
	}

	private free(): number {
		for (let id = 1; id <= MAX_TIMERS; id++) if (!this.#timers[id]) return id;
		throw new ToolError(`${MAX_TIMERS} timers are set already: cancel one first`);
	}

	private listed(id: number, { due, every, say, tool, args }: Kept): ListedTimer {
		const now = this.#now();
		const listed: ListedTimer = { id, in_seconds: Math.max(0, Math.round((due - now) / 1000)), repeat: every > 0 };
		if (isSet(due)) listed.at = new Date(due + this.#zone * MINUTE_MS).toISOString().slice(0, 19);
		if (say) listed.say = say;
		if (tool) Object.assign(listed, { tool, arguments: args });
		return listed;
	}

	/** @throws ToolError for a text that is no time to come */
	private timeOf(at: string, now: number): { due: number; every: number } {
		if (!isSet(now)) throw new ToolError("The device does not know the time: give seconds instead of at");
		const local = now + this.#zone * MINUTE_MS;
		const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(at);
		if (clock) {
			const [hours, minutes, seconds] = [Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0)];
			if (hours > 23 || minutes > 59 || seconds > 59) throw new ToolError(`There is no time ${at}`);
			const today = local - (local % DAY_MS) + ((hours * 60 + minutes) * 60 + seconds) * 1000;
			return { due: now + (today > local ? today - local : today + DAY_MS - local), every: DAY_MS };
		}
		const date = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?$/.exec(at);
		const time = date ? Date.parse(`${date[1]}T${date[2]}${date[3] ?? ":00"}Z`) : Number.NaN;
		if (!Number.isFinite(time)) throw new ToolError('at must look like "22:00" or "2027-01-31T22:00"');
		if (time <= local) throw new ToolError(`That time has passed: it is ${new Date(local).toISOString().slice(0, 19)}`);
		return { due: now + time - local, every: 0 };
	}

	/** @throws ToolError */
	private parse(args: string): { [name: string]: unknown } {
		let parsed: unknown;
		try {
			if (args.length <= MAX_TIMER_TEXT && !hasMoreBrackets(args, 16)) parsed = JSON.parse(args, this.#options.names() as never);
		} catch {
			// It is no object either.
		}
		if (!isObject(parsed)) throw new ToolError('arguments must be a JSON object as text, such as {"volume": 30}');
		return parsed;
	}

	private read(id: number): Kept | undefined {
		const text = this.#store.anyText(`t${id}`);
		if (text === undefined) return undefined;
		try {
			const kept: unknown = JSON.parse(text, NAMES as never);
			if (!isObject(kept) || !isTime(kept.due) || !isTime(kept.every) || (kept.every > 0 && kept.every < MIN_REPEAT_S * 1000)) throw new TypeError();
			const { due, every, say, tool, args } = kept as unknown as Kept;
			if (typeof say !== "string" || typeof tool !== "string" || typeof args !== "string") throw new TypeError();
			// Set while the clock was not: it begins anew.
			return { due: isSet(due) ? due : this.#seen + (every || due), every, say, tool, args };
		} catch {
			this.#options.log(`timer ${id}: what was kept is damaged, and forgotten`);
			this.drop(id);
			return undefined;
		}
	}

	/** What was due while nobody was there is not made up for: the lamp may be wanted again. */
	private tellMissed(except: readonly (Kept | undefined)[] = []): void {
		if (!isSet(this.#seen)) return;
		const missed: string[] = [];
		this.#timers.forEach((kept, id) => {
			if (!kept || kept.due > this.#seen || except.includes(kept)) return;
			// One that repeats within the day is not worth a word.
			if (kept.every === 0 || kept.every >= DAY_MS) missed.push(kept.say || kept.tool);
			this.advance(id, kept);
		});
		if (!missed.length) return;
		this.#options.log(`timer: ${missed.length} came due while the device was off`);
		this.#options.say(`While the device was off, this came due: ${missed.join("; ")}`.slice(0, 500));
	}

	/** The next time of one that repeats; one that does not is over. */
	private advance(id: number, kept: Kept): void {
		if (kept.every === 0) return this.forget(id);
		kept.due += Math.max(1, Math.ceil((this.#seen - kept.due + 1) / kept.every)) * kept.every;
		// More often than once a day would wear out the flash; the old time counts on from where it was.
		if (kept.every >= DAY_MS) this.keep(`t${id}`, JSON.stringify(kept));
	}

	private forget(id: number): void {
		this.#timers[id] = undefined;
		this.drop(id);
	}

	private drop(id: number): void {
		try {
			this.#store.delete(`t${id}`);
		} catch (error) {
			this.#options.log(`timer ${id}: it could not be forgotten: ${(error as Error).message}`);
		}
	}

	private keep(key: string, value: string | number): void {
		try {
			this.#store.set(key, value);
		} catch (error) {
			this.#options.log(`timer: ${key} could not be kept: ${(error as Error).message}`);
		}
	}

	/** Looks at the clock again when the next timer is due, or soon. */
	private next(): void {
		let wait = LOOK_MS;
		const now = this.#now();
		for (const kept of this.#timers) if (kept && isSet(kept.due) === isSet(now)) wait = Math.min(wait, Math.max(0, kept.due - now));
		if (!this.#timers.some((kept) => kept)) {
			this.#seen = now;
			return this.#look.clear();
		}
		this.#seen = now;
		this.#waited = wait;
		this.#look.set(wait, () => this.run());
	}

	/** When the clock has been set, what counted from when the chip woke up goes on to count. */
	private catchUp(): void {
		const now = this.#now();
		if (!isSet(now) || isSet(this.#seen)) return;
		const running = this.#timers.filter((kept) => kept && !isSet(kept.due));
		for (const kept of running) if (kept) kept.due += now - this.#seen - this.#waited;
		this.#seen = now;
		this.tellMissed(running);
	}

	private run(): void {
		this.catchUp();
		const now = this.#now();
		this.#seen = now;
		this.#timers.forEach((kept, id) => {
			if (!kept || isSet(kept.due) !== isSet(now) || kept.due > now) return;
			this.advance(id, kept);
			this.#due(id, kept);
		});
		this.next();
	}

	#due(id: number, { say, tool, args }: Kept): void {
		const { call, log, notify } = this.#options;
		log(`timer ${id}: due${tool ? `: ${tool}` : ""}`);
		if (say) {
			notify({ id, say });
			this.#options.say(`A timer that was set is due: ${say}`);
			return;
		}
		const failed = (error: string | undefined) => {
			notify({ id, tool, error });
			if (error !== undefined) log(`timer ${id}: ${error}`);
		};
		try {
			call(tool, this.parse(args), failed);
		} catch (error) {
			failed((error as Error).message);
		}
	}
}

function isSet(time: number): boolean {
	return time >= EARLIEST_CLOCK_MS;
}

function isTime(value: unknown): value is number {
	return typeof value === "number" && Number.isFinite(value) && value >= 0 && value < 8.64e15;
}
