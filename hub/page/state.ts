// What the page knows: what its source has told, and the two things that go the other way.

import type { CallToolResult } from "@modelcontextprotocol/client";
import type { BenchMessage, DeviceInFull, DeviceSummary } from "../bench-stream.js";
import type { Entry, Part } from "../observer.js";
import { Store } from "./store.js";

export type { DeviceSummary } from "../bench-stream.js";
export type { Entry, Part } from "../observer.js";

/** Where the page has its devices from. */
export interface Source {
	/**
	 * Tells of the devices, and of the one that is wanted in full, until the signal aborts or the source is lost.
	 * @throws LockedError when it wants a token, or another
	 */
	events(wanted: string | undefined, hear: (message: BenchMessage) => void, signal: AbortSignal): Promise<void>;
	/** @throws Error in words when the device is away, or the source is */
	call(id: string, name: string, args: Record<string, unknown>): Promise<CallToolResult>;
	/** Does something to a part of a simulated board. @throws Error as `call` */
	input(id: string, part: string, input: Record<string, unknown>): Promise<void>;
}

/** The source wants a token; it stands in `sessionStorage`, as "token". */
export class LockedError extends Error {}

/** The page keeps as many entries as the hub does, and the newest of them. */
const MAX_ENTRIES = 800;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

/** Of the page with its source. "locked": it wants a token. */
export const link = new Store<"opening" | "open" | "lost" | "locked">("opening");
export const hint = new Store<string | undefined>(undefined);
export const devices = new Store<readonly DeviceSummary[]>([]);
export const device = new Store<DeviceInFull | undefined>(undefined);
export const parts = new Store<Readonly<Record<string, Part>>>({});
export const entries = new Store<readonly Entry[]>([]);

let source: Source | undefined;
let wanted: string | undefined;
let build: string | undefined;
let opening: AbortController | undefined;

function take(message: BenchMessage): void {
	switch (message.type) {
		case "hello":
			// The program was started anew, with another page in it.
			if (build !== undefined && build !== message.build) location.reload();
			build = message.build;
			hint.value = message.hint;
			break;
		case "devices":
			devices.value = message.devices;
			break;
		case "device":
			if (device.value?.id !== message.device.id) {
				parts.value = {};
				entries.value = [];
			}
			device.value = message.device;
			break;
		case "parts":
			parts.value = message.whole ? message.parts : { ...parts.value, ...message.parts };
			break;
		case "entries":
			entries.value = message.whole ? message.entries : [...entries.value, ...message.entries].slice(-MAX_ENTRIES);
			break;
	}
}

/** Hears the source until it is lost, and then again, for ever. */
export async function run(from: Source): Promise<void> {
	source = from;
	readAddress();
	addEventListener("hashchange", () => {
		readAddress();
		opening?.abort();
	});
	for (let wait = FIRST_WAIT_MS; ; ) {
		opening = new AbortController();
		const { signal } = opening;
		const asked = wanted;
		const hear = (message: BenchMessage) => {
			if (signal.aborted) return;
			link.value = "open";
			wait = FIRST_WAIT_MS;
			take(message);
		};
		try {
			await source.events(wanted, hear, signal);
		} catch (error) {
			// Whatever else it was, the next attempt is soon.
			if (error instanceof LockedError) {
				link.value = "locked";
				await new Promise((resolve) => signal.addEventListener("abort", resolve));
				continue;
			}
		}
		// Another device was asked for: there is nothing to wait for.
		if (wanted !== asked) {
			wait = FIRST_WAIT_MS;
			continue;
		}
		if (link.value !== "locked") link.value = "lost";
		await new Promise((resolve) => setTimeout(resolve, wait));
		wait = Math.min(wait * 2, LONGEST_WAIT_MS);
	}
}

/** Shows another device. */
export function choose(id: string): void {
	location.hash = new URLSearchParams({ device: id }).toString();
}

/** Tries a token. */
export function unlock(given: string): void {
	sessionStorage.setItem("token", given);
	opening?.abort();
}

/** `#device=ID&token=T`: what stands behind the # is sent to nobody, and the token does not stay there. */
function readAddress(): void {
	const query = new URLSearchParams(location.hash.slice(1));
	const given = query.get("token");
	if (given !== null) {
		sessionStorage.setItem("token", given);
		query.delete("token");
		history.replaceState(null, "", query.size > 0 ? `#${query}` : location.pathname);
	}
	wanted = query.get("device") ?? undefined;
}

/** @throws Error with the source's words when the device is away, or the source is */
export async function callTool(id: string, name: string, args: Record<string, unknown>): Promise<CallToolResult> {
	if (!source) throw new Error("the page has no source");
	return await source.call(id, name, args);
}

/** Does something to a part of a simulated board; where nobody hears it, the page says so by its state. */
export function doTo(part: string, input: Record<string, unknown>): void {
	const id = device.value?.id;
	if (id !== undefined) source?.input(id, part, input).catch(() => {});
}
