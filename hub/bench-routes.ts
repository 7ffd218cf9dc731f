// What the page hears: a stream of what happens to the devices, a JSON message a line, and one device in full; and what it does to a board.

import type { ServerResponse } from "node:http";
import { summary } from "./device-routes.js";
import type { Route } from "./http-server.js";
import type { Observer, View } from "./observer.js";
import { allow, answer, jsonRoute, RequestError, readJson } from "./requests.js";

/** Pages that may be open; the next ones get 503. */
export const MAX_STREAMS = 32;
/** Between two lots of changes: a screen shows no more, and a robot that walks makes hundreds of states a second. */
const FRAME_MS = 16;
/** A page that hears nothing for longer takes the connection for dead. */
const BEAT_MS = 10_000;
/** A page that does not read is let go; it comes back and begins anew. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

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
class Stream {
	readonly #observer: Observer;
	readonly #options: BenchOptions;
	readonly #response: ServerResponse;
	readonly #wanted: string | undefined;
	readonly #stop: () => void;
	readonly #beat: NodeJS.Timeout;
	#timer: NodeJS.Timeout | undefined;
	#flushedAt = 0;
	/** Parts that have changed since the last lot. */
	#parts = new Set<string>();
	/** What the page knows: the view, up to which entry, and the devices, as JSON. */
	#view: View | undefined;
	#number = 0;
	#sent = { devices: "", device: "" };

	constructor(observer: Observer, options: BenchOptions, response: ServerResponse, wanted: string | undefined) {
		this.#observer = observer;
		this.#options = options;
		this.#response = response;
		this.#wanted = wanted;
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
		this.#beat = setInterval(() => this.#write({ type: "beat" }), BEAT_MS).unref();
		response.writeHead(200, { "Content-Type": "application/x-ndjson", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
		this.#write({ type: "hello", build: options.build, hint: options.hint?.() });
		this.#flush();
	}

	close(): void {
		this.#stop();
		clearInterval(this.#beat);
		clearTimeout(this.#timer);
		this.#response.end();
	}

	/** What comes after a pause is sent at once. */
	#soon(): void {
		this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, FRAME_MS - (performance.now() - this.#flushedAt))).unref();
	}

	#flush(): void {
		this.#timer = undefined;
		this.#flushedAt = performance.now();
		const view = this.#choose();
		const isNew = view !== this.#view;
		this.#view = view;
		this.#writeChanged("devices", { type: "devices", devices: this.#summaries() });
		if (!view) return;
		this.#writeChanged("device", { type: "device", device: this.#inFull(view) });
		const names = isNew ? [...view.parts.keys()] : [...this.#parts];
		this.#parts.clear();
		const parts = Object.fromEntries(names.map((name) => [name, view.parts.get(name)] as const));
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

	#summaries() {
		const { deviceId } = this.#options;
		const known = this.#observer.devices.known.map((device) => ({ ...summary(device), label: device.name }));
		// A board of this program is in the list before it has connected.
		const own = deviceId === undefined || known.some(({ id }) => id === deviceId) ? undefined : this.#observer.peek(deviceId)?.simulation;
		return [...(own ? [{ id: deviceId, label: own.board, connected: false, reason: "it starts" }] : []), ...known];
	}

	#inFull(view: View) {
		const device = this.#observer.devices.find(view.id);
		const { board, engine } = view.simulation ?? {};
		return {
			id: view.id,
			simulation: board === undefined ? undefined : { board, engine },
			...(device ? { ...summary(device), instructions: device.instructions, resources: device.resources } : { connected: false }),
			tools: device?.tools ?? [],
			userTools: this.#options.userTools ? (device?.userTools ?? []) : undefined,
		};
	}

	#writeChanged(what: "devices" | "device", message: object): void {
		const text = JSON.stringify(message);
		if (text !== this.#sent[what]) this.#write(message);
		this.#sent[what] = text;
	}

	#write(message: object): void {
		if (this.#response.writableLength > MAX_BUFFERED_BYTES) this.#response.destroy();
		else this.#response.write(`${JSON.stringify(message)}\n`);
	}
}

export class Bench {
	readonly route: Route;
	readonly #streams = new Set<Stream>();

	/** `GET /bench/events?device=ID`, and `POST /bench/input` with `{"device", "part", "input"}`. */
	constructor(observer: Observer, options: BenchOptions) {
		this.route = jsonRoute(async (request, response, path) => {
			if (path === "/bench/events") {
				allow(request, "GET");
				if (this.#streams.size >= MAX_STREAMS) throw new RequestError(503, "too many pages are open", { "Retry-After": "5" });
				const wanted = new URL(request.url ?? "/", "http://localhost").searchParams.get("device") ?? undefined;
				const stream = new Stream(observer, options, response, wanted);
				this.#streams.add(stream);
				response.on("close", () => {
					this.#streams.delete(stream);
					stream.close();
				});
			} else if (path === "/bench/input") {
				allow(request, "POST");
				const { device, part, input } = ((await readJson(request)) ?? {}) as { device?: unknown; part?: unknown; input?: unknown };
				const simulation = typeof device === "string" ? observer.peek(device)?.simulation : undefined;
				if (!simulation) throw new RequestError(404, "there is no such simulated board");
				if (typeof part !== "string" || typeof input !== "object" || input === null)
					throw new RequestError(400, 'the body must be {"device": ID, "part": NAME, "input": {…}}');
				simulation.input(part, input as Record<string, unknown>);
				answer(response, 200, {});
			} else throw new RequestError(404, "there is nothing here");
		});
	}

	/** Lets all pages go. */
	close(): void {
		for (const stream of this.#streams) stream.close();
	}
}
