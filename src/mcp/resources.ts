// Resources: what a client can read and watch, in both eras (modelcontextprotocol.io, server/resources).

import type { ResourceAnswer, Resources, Subscriber, Timers } from "./host.js";
import { describe } from "./schema.js";
import { clip } from "./text.js";

/** Where resources come from. */
export interface ResourceSource {
	/** What there is. It stays the same. */
	readonly entries: readonly ResourceEntry[];
	/** What there is by a pattern: JSON. */
	readonly templates?: readonly ResourceTemplate[] | undefined;
	/** The present contents of one of them, as JSON text; undefined where nothing has this address. */
	read(uri: string): string | undefined;
	/** Those of one with a type of its own: base64 in texts one after the other. Rejects with an Error in plain words. */
	readBlob?(uri: string): Promise<readonly string[]>;
}

/** A resource as it is listed. */
export interface ResourceEntry {
	readonly uri: string;
	readonly name: string;
	readonly description: string;
	/** Of its bytes, where it is not JSON: such a one cannot be watched. */
	readonly mimeType?: string | undefined;
}

/** Resources whose addresses follow a pattern. */
export interface ResourceTemplate {
	/** RFC 6570, such as `notes://{number}`. */
	readonly uriTemplate: string;
	readonly name: string;
	readonly description: string;
}

/** The most resources that one peer, or one subscription, watches. */
export const MAX_WATCHED = 16;
/** What is watched is compared so often. */
export const WATCH_INTERVAL_MS = 500;
/** An event is told after so long, together with what comes meanwhile. */
export const EVENT_DELAY_MS = 50;

const MIME_TYPE = "application/json";
const NO_TEXTS: readonly string[] = Object.freeze([]);

interface Watch {
	readonly subscriber: Subscriber;
	/** The id of the request that asked for it, in the modern revision. */
	readonly key: object;
	readonly uri: string;
}

/** Reads resources, and tells of their changes while somebody watches. */
export class ResourceServer implements Resources {
	readonly capability = ',"resources":{"subscribe":true}';
	readonly #source: ResourceSource;
	readonly #timers: Timers;
	readonly #watches: Watch[] = [];
	/** What the watched resources were when they were last looked at. */
	readonly #seen: { readonly uri: string; text: string }[] = [];
	#timer: unknown;
	#soon = false;

	constructor(source: ResourceSource, timers: Timers) {
		this.#source = source;
		this.#timers = timers;
	}

	answer(method: string, params: { readonly [name: string]: unknown }, subscriber: Subscriber): ResourceAnswer | Promise<ResourceAnswer> | undefined {
		const { entries, templates = [] } = this.#source;
		switch (method) {
			case "resources/list":
			case "resources/templates/list": {
				const { cursor } = params;
				if (cursor !== undefined && cursor !== null && cursor !== "") return { problem: "Unknown cursor" };
				if (method !== "resources/list") {
					const texts = templates.map(({ uriTemplate, name, description }) =>
						JSON.stringify({ uriTemplate, name, description, mimeType: MIME_TYPE }),
					);
					return { result: `"resourceTemplates":[${texts.join(",")}]`, cacheable: true };
				}
				const texts = entries.map(({ uri, name, description, mimeType = MIME_TYPE }) => JSON.stringify({ uri, name, description, mimeType }));
				return { result: `"resources":[${texts.join(",")}]`, cacheable: true };
			}
			case "resources/read":
			case "resources/subscribe":
			case "resources/unsubscribe":
				break;
			default:
				return undefined;
		}
		const { uri } = params;
		if (typeof uri !== "string") return { problem: `uri must be a string, got ${describe(uri)}` };
		const entry = entries.find((entry) => entry.uri === uri);
		if (method === "resources/read" && entry?.mimeType !== undefined) return this.#readBlob(entry);
		const contents = entry && method !== "resources/read" ? "" : this.#source.read(uri);
		if (contents === undefined) return { problem: `Unknown resource: ${clip(uri)}` };
		if (method === "resources/read") {
			const text = JSON.stringify(contents);
			return { result: `"contents":[{"uri":${JSON.stringify(uri)},"mimeType":"${MIME_TYPE}","text":${text}}]`, cacheable: false };
		}
		if (method === "resources/subscribe") {
			if (entry?.mimeType !== undefined) return { problem: `${uri} cannot be watched` };
			if (!this.#watch(subscriber, subscriber, uri)) return { problem: `at most ${MAX_WATCHED} resources can be watched` };
		} else this.#forget((watch) => watch.key === subscriber && watch.uri === uri);
		return { result: "", cacheable: false };
	}

	listen(subscriber: Subscriber, key: object, notifications: { readonly [name: string]: unknown }): string {
		const { resourceSubscriptions: wanted } = notifications;
		if (!Array.isArray(wanted)) return "";
		const taken = wanted.filter((uri) => typeof uri === "string" && this.#isWatchable(uri) && this.#watch(subscriber, key, uri));
		return taken.length ? `"resourceSubscriptions":${JSON.stringify(taken)}` : "";
	}

	forget(key: object): void {
		this.#forget((watch) => watch.key === key || watch.subscriber === key);
	}

	/** Something has happened: what is watched is looked at soon. */
	touch(): void {
		if (this.#soon || this.#watches.length === 0) return;
		this.#soon = true;
		this.#look(EVENT_DELAY_MS);
	}

	close(): void {
		this.#forget(() => true);
	}

	async #readBlob({ uri, mimeType }: ResourceEntry): Promise<ResourceAnswer> {
		const texts = (await this.#source.readBlob?.(uri)) ?? NO_TEXTS;
		return { result: `"contents":[{"uri":${JSON.stringify(uri)},"mimeType":"${mimeType}","blob":"`, texts: [...texts, '"}]'], cacheable: false };
	}

	#isWatchable(uri: string): boolean {
		const entry = this.#source.entries.find((entry) => entry.uri === uri);
		return entry ? entry.mimeType === undefined : this.#source.read(uri) !== undefined;
	}

	#watch(subscriber: Subscriber, key: object, uri: string): boolean {
		const own = this.#watches.filter((watch) => watch.key === key);
		if (own.some((watch) => watch.uri === uri)) return true;
		if (own.length >= MAX_WATCHED) return false;
		if (!this.#seen.some((seen) => seen.uri === uri)) this.#seen.push({ uri, text: this.#source.read(uri) ?? "" });
		this.#watches.push({ subscriber, key, uri });
		if (this.#timer === undefined) this.#look(WATCH_INTERVAL_MS);
		return true;
	}

	#forget(whether: (watch: Watch) => boolean): void {
		for (let i = this.#watches.length - 1; i >= 0; i--) if (whether(this.#watches[i] as Watch)) this.#watches.splice(i, 1);
		for (let i = this.#seen.length - 1; i >= 0; i--) if (!this.#watches.some(({ uri }) => uri === this.#seen[i]?.uri)) this.#seen.splice(i, 1);
		if (this.#watches.length > 0) return;
		this.#timers.clear(this.#timer);
		this.#timer = undefined;
		this.#soon = false;
	}

	#look(delay: number): void {
		this.#timers.clear(this.#timer);
		this.#timer = this.#timers.set(() => {
			this.#soon = false;
			this.#look(WATCH_INTERVAL_MS);
			for (const seen of [...this.#seen]) {
				let text: string;
				try {
					text = this.#source.read(seen.uri) ?? "";
				} catch {
					// A chip that does not answer now has not changed.
					continue;
				}
				if (text === seen.text) continue;
				seen.text = text;
				for (const watch of [...this.#watches])
					if (watch.uri === seen.uri) watch.subscriber.tell("notifications/resources/updated", `"uri":${JSON.stringify(seen.uri)}`, watch.key);
			}
		}, delay);
	}
}
