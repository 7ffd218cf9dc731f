// What can be seen of each device while the hub runs, bounded: its messages, its log, and the parts of a simulated board.

import type { PartDescription } from "../simulator/parts.js";
import type { Devices } from "./devices.js";

/** Entries of one kind that are kept for a device; the oldest go first. */
export const MAX_ENTRIES = 400;
/** What the kept entries of one kind may come to, in characters. */
export const MAX_CHARACTERS = 256 * 1024;
/** An entry is cut behind so many characters: no message of a device is longer, so only a device at fault gets here. */
export const MAX_ENTRY_CHARACTERS = 32 * 1024;
/** A board has a few parts; what a mistake shows without end is not kept. */
const MAX_PARTS = 64;

/**
 * A message in one of the two directions as the hub sees them, a line of the device's log, what became of the device, or what its user
 * and the assistant say, as JSON: `{"kind", "text"}`.
 */
export type EntryKind = "in" | "out" | "log" | "note" | "speech";

/** The resource that a device is drawn by: `src/system/board-resources.ts`. */
export const DRAWING = "board://drawing";

/** The part that is no part: what is said. */
const SPEECH = "assistant";

export interface Entry {
	/** Counts up over all entries of a device, from 1 on. */
	readonly number: number;
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly kind: EntryKind;
	readonly text: string;
}

export interface Part {
	readonly description: PartDescription;
	/** Undefined until it is shown. */
	readonly state?: unknown;
}

/** How a simulated board of this process is doing. */
export interface Simulation {
	readonly board: string;
	/** Such as "XS", or "Node" with the reason. */
	readonly engine: string;
	/** It is not started until somebody looks at it. */
	readonly waits?: boolean;
	/** Does something to a part, such as `{pressed: true}` to a button. */
	input(part: string, input: Readonly<Record<string, unknown>>): void;
}

/** A queue that forgets its oldest entries. */
class Entries {
	readonly list: Entry[] = [];
	#characters = 0;

	push(entry: Entry): void {
		this.list.push(entry);
		this.#characters += entry.text.length;
		while (this.list.length > MAX_ENTRIES || (this.#characters > MAX_CHARACTERS && this.list.length > 1))
			this.#characters -= this.list.shift()?.text.length ?? 0;
	}
}

/** Of one device; it may be away. */
export class View {
	readonly id: string;
	simulation: Simulation | undefined;
	readonly parts = new Map<string, Part>();
	readonly #messages = new Entries();
	readonly #log = new Entries();
	#number = 0;

	constructor(id: string) {
		this.id = id;
	}

	/** What is kept with a greater number than `after`, in its order. */
	entries(after = 0): Entry[] {
		return [...this.#messages.list, ...this.#log.list].filter(({ number }) => number > after).sort((a, b) => a.number - b.number);
	}

	add(kind: EntryKind, text: string): Entry {
		const cut = text.length > MAX_ENTRY_CHARACTERS ? `${text.slice(0, MAX_ENTRY_CHARACTERS)}…` : text;
		const entry: Entry = { number: ++this.#number, at: Date.now(), kind, text: cut };
		(kind === "log" ? this.#log : this.#messages).push(entry);
		return entry;
	}
}

/** Is told what changes. */
export interface ObserverListener {
	/** Devices came, went or changed what they have. */
	onDevices?(): void;
	onEntry?(view: View, entry: Entry): void;
	onPart?(view: View, part: string): void;
	/** A page begins to show the device. */
	onLook?(view: View): void;
	/** A simulated machine starts anew: its parts are gone, and come again. */
	onRestart?(view: View): void;
}

/** Keeps a view of every device of the hub. */
export class Observer {
	readonly devices: Devices;
	readonly #views = new Map<string, View>();
	readonly #listeners = new Set<ObserverListener>();

	constructor(devices: Devices) {
		this.devices = devices;
		devices.listen({
			onWire: ({ deviceId, id }, direction, text) => {
				// What the page asks for itself would bury everything else.
				if (!text.includes(DRAWING) || text.includes('"resources":[')) this.#add(this.view(deviceId ?? id), direction, text);
			},
			onReady: ({ id, session, name, version, tools, userTools }) => {
				// An endpoint may have told its name only now.
				if (session && session.id !== id) this.#adopt(session.id, id);
				this.note(id, `${name} ${version} is there, MCP ${session?.protocolVersion}: ${tools.length + userTools.length} tools`);
			},
			onFailed: (session, reason) => this.note(session.deviceId ?? session.id, `could not be discovered: ${reason}`),
			onEnded: (session, reason) => {
				this.note(session.deviceId ?? session.id, `the session ended: ${reason}`);
				if (session.deviceId === undefined) this.#views.delete(session.id);
				this.#tell("onDevices");
			},
			onChange: () => this.#tell("onDevices"),
		});
	}

	/** @returns ends the listening */
	listen(listener: ObserverListener): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** The view of a device; made when it is not there, at the cost of one whose device is not known any more. */
	view(id: string): View {
		let view = this.#views.get(id);
		if (!view) {
			for (const old of this.#views.values()) if (!old.simulation && !this.devices.find(old.id)?.session) this.#forget(old);
			view = new View(id);
			this.#views.set(id, view);
		}
		return view;
	}

	/** The simulated boards of this program. */
	get simulated(): readonly (Simulation & { readonly id: string })[] {
		return [...this.#views.values()].flatMap(({ id, simulation }) => (simulation ? [{ id, ...simulation }] : []));
	}

	/** The view of a device, where there is one. */
	peek(id: string): View | undefined {
		return this.#views.get(id);
	}

	/** A page begins to show the device. */
	look(view: View): void {
		this.#tell("onLook", view);
	}

	log(id: string, line: string): void {
		this.#add(this.view(id), "log", line);
	}

	note(id: string, text: string): void {
		this.#add(this.view(id), "note", text);
	}

	describe(id: string, part: string, description: PartDescription): void {
		if (part !== SPEECH) this.#setPart(id, part, { description });
	}

	show(id: string, part: string, state: unknown): void {
		if (part === SPEECH) {
			// Calls are among the messages.
			if ((state as { kind?: unknown } | null)?.kind !== "call") this.#add(this.view(id), "speech", JSON.stringify(state));
			return;
		}
		const description = this.view(id).parts.get(part)?.description;
		if (description) this.#setPart(id, part, { description, state });
	}

	/** A simulated machine starts anew: it tells what it has. */
	restarted(id: string): void {
		this.note(id, "the device restarts");
		const view = this.view(id);
		view.parts.clear();
		this.#tell("onRestart", view);
	}

	#setPart(id: string, name: string, part: Part): void {
		const view = this.view(id);
		if (!view.parts.has(name) && view.parts.size >= MAX_PARTS) return;
		view.parts.set(name, part);
		this.#tell("onPart", view, name);
	}

	#add(view: View, kind: EntryKind, text: string): void {
		this.#tell("onEntry", view, view.add(kind, text));
	}

	#adopt(from: string, to: string): void {
		const early = this.#views.get(from);
		if (!early) return;
		this.#views.delete(from);
		for (const { kind, text } of early.entries()) this.#add(this.view(to), kind, text);
	}

	/** Views are as many as devices are remembered. */
	#forget(view: View): void {
		if (this.#views.size >= MAX_VIEWS) this.#views.delete(view.id);
	}

	#tell<K extends keyof ObserverListener>(event: K, ...values: Parameters<NonNullable<ObserverListener[K]>>): void {
		for (const listener of this.#listeners) (listener[event] as ((...values: unknown[]) => void) | undefined)?.(...values);
	}
}

/** Devices that are away keep what was seen of them, as long as there are no more than this. */
export const MAX_VIEWS = 128;
