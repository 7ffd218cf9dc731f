// What a page hears of the hub: what happens to the devices, many changes within a frame as one, and one device in full.

import type { Tool } from "@modelcontextprotocol/client";
import { summary } from "./devices.js";
import type { Entry, Observer, Part, View } from "./observer.js";

export interface DeviceSummary {
	readonly id: string;
	readonly label: string;
	readonly connected: boolean;
	/** Why it is not; undefined where nobody has started it yet. */
	readonly reason?: string | undefined;
}

export interface DeviceInFull {
	readonly id: string;
	readonly name?: string;
	readonly version?: string;
	readonly via?: string;
	readonly protocolVersion?: string | undefined;
	readonly connected: boolean;
	readonly reason?: string | undefined;
	readonly instructions?: string | undefined;
	readonly simulation?: { readonly board: string; readonly engine: string } | undefined;
	readonly tools: readonly Tool[];
	/** Undefined where the hub does not offer them. */
	readonly userTools?: readonly Tool[] | undefined;
}

/** What a page is told; `whole` replaces what it knew. */
export type BenchMessage =
	| { type: "hello"; build: string; hint?: string | undefined }
	| { type: "devices"; devices: readonly DeviceSummary[] }
	| { type: "device"; device: DeviceInFull }
	| { type: "parts"; whole: boolean; parts: Readonly<Record<string, Part>> }
	| { type: "entries"; whole: boolean; entries: readonly Entry[] }
	| { type: "beat" };

/** Between two lots of changes: a screen shows no more, and a robot that walks makes hundreds of states a second. */
const FRAME_MS = 16;

export interface BenchOptions {
	/** Which device a page shows that asks for none. */
	deviceId?: string | undefined;
	/** Tools for people are shown, too. */
	userTools: boolean;
	/** Tells a person with a board in their hand what to do. */
	hint?: (() => string) | undefined;
	/** Changes with the page, so that an old one loads the new one. */
	build: string;
}

/** One page that is open. */
export class BenchStream {
	readonly #observer: Observer;
	readonly #options: BenchOptions;
	readonly #write: (message: BenchMessage) => void;
	readonly #wanted: string | undefined;
	readonly #stop: () => void;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#flushedAt = 0;
	/** Parts that have changed since the last lot. */
	#parts = new Set<string>();
	/** What the page knows: the view, up to which entry, and the devices, as JSON. */
	#view: View | undefined;
	#number = 0;
	#sent = { devices: "", device: "" };

	/** @param wanted the device that is told in full; without it, that of the options, or else the first */
	constructor(observer: Observer, options: BenchOptions, wanted: string | undefined, write: (message: BenchMessage) => void) {
		this.#observer = observer;
		this.#options = options;
		this.#wanted = wanted;
		this.#write = write;
		this.#stop = observer.listen({
			onDevices: () => this.#soon(),
			onEntry: () => this.#soon(),
			onPart: (view, part) => {
				if (view === this.#view) this.#parts.add(part);
				this.#soon();
			},
			onRestart: (view) => {
				if (view === this.#view) this.#view = undefined;
				this.#soon();
			},
		});
		this.#write({ type: "hello", build: options.build, hint: options.hint?.() });
		this.#flush();
	}

	close(): void {
		this.#stop();
		clearTimeout(this.#timer);
	}

	/** What comes after a pause is sent at once. */
	#soon(): void {
		this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, FRAME_MS - (performance.now() - this.#flushedAt)));
	}

	#flush(): void {
		this.#timer = undefined;
		this.#flushedAt = performance.now();
		const view = this.#choose();
		const isNew = view !== this.#view;
		this.#view = view;
		this.#writeChanged("devices", { type: "devices", devices: this.#summaries() });
		if (!view) return;
		if (isNew) this.#observer.look(view);
		this.#writeChanged("device", { type: "device", device: this.#inFull(view) });
		const names = isNew ? [...view.parts.keys()] : [...this.#parts];
		this.#parts.clear();
		const parts = Object.fromEntries(names.flatMap((name) => [[name, view.parts.get(name) as Part]]));
		if (isNew || names.length > 0) this.#write({ type: "parts", whole: isNew, parts });
		const entries = view.entries(isNew ? 0 : this.#number);
		this.#number = entries.at(-1)?.number ?? (isNew ? 0 : this.#number);
		if (isNew || entries.length > 0) this.#write({ type: "entries", whole: isNew, entries });
	}

	/** The view that the page asked for, or else the board of this program, or the first device. */
	#choose(): View | undefined {
		const id = this.#wanted ?? this.#options.deviceId ?? this.#observer.devices.known[0]?.id;
		return id === undefined ? undefined : this.#observer.peek(id);
	}

	#summaries(): DeviceSummary[] {
		const { devices, simulated } = this.#observer;
		const known = new Map(devices.known.map((device): [string, DeviceSummary] => [device.id, { ...summary(device), label: device.name }]));
		// A board of this program is in the list before it has connected.
		const own = simulated.map(
			({ id, board, waits }) => known.get(id) ?? { id, label: board, connected: false, reason: waits ? undefined : "it starts" },
		);
		for (const { id } of own) known.delete(id);
		return [...own, ...known.values()];
	}

	#inFull(view: View): DeviceInFull {
		const device = this.#observer.devices.find(view.id);
		return {
			id: view.id,
			simulation: view.simulation && { board: view.simulation.board, engine: view.simulation.engine },
			...(device ? { ...summary(device), instructions: device.instructions, resources: device.resources } : { connected: false }),
			tools: device?.tools ?? [],
			userTools: this.#options.userTools ? (device?.userTools ?? []) : undefined,
		};
	}

	#writeChanged(what: "devices" | "device", message: BenchMessage): void {
		const text = JSON.stringify(message);
		if (text !== this.#sent[what]) this.#write(message);
		this.#sent[what] = text;
	}
}
