// The page's way to the hub: a stream of what happens to the devices, a JSON message a line; and what it does to a board.

import type { ServerResponse } from "node:http";
import { type BenchMessage, type BenchOptions, BenchStream } from "./bench-stream.js";
import type { Route } from "./http-server.js";
import type { Observer } from "./observer.js";
import { allow, answer, jsonRoute, RequestError, readJson } from "./requests.js";

/** Pages that may be open; the next ones get 503. */
export const MAX_STREAMS = 32;
/** A page that hears nothing for longer takes the connection for dead. */
const BEAT_MS = 10_000;
/** A page that does not read is let go; it comes back and begins anew. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

export class Bench {
	readonly route: Route;
	/** Each ends one. */
	readonly #streams = new Set<() => void>();

	/** `GET /bench/events?device=ID`, and `POST /bench/input` with `{"device", "part", "input"}`. */
	constructor(observer: Observer, options: BenchOptions) {
		this.route = jsonRoute(async (request, response, path) => {
			if (path === "/bench/events") {
				allow(request, "GET");
				if (this.#streams.size >= MAX_STREAMS) throw new RequestError(503, "too many pages are open", { "Retry-After": "5" });
				const wanted = new URL(request.url ?? "/", "http://localhost").searchParams.get("device") ?? undefined;
				this.#open(observer, options, response, wanted);
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
		for (const end of this.#streams) end();
	}

	#open(observer: Observer, options: BenchOptions, response: ServerResponse, wanted: string | undefined): void {
		const write = (message: BenchMessage) => {
			if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy();
			else response.write(`${JSON.stringify(message)}\n`);
		};
		response.writeHead(200, { "Content-Type": "application/x-ndjson", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
		const stream = new BenchStream(observer, options, wanted, write);
		const beat = setInterval(() => write({ type: "beat" }), BEAT_MS).unref();
		const end = () => {
			this.#streams.delete(end);
			clearInterval(beat);
			stream.close();
			response.end();
		};
		this.#streams.add(end);
		response.on("close", end);
	}
}
