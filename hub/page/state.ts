// What the page knows of the hub: what the stream of `/bench/events` has told, and the two things that go the other way.

import type { CallToolResult, Tool } from "@modelcontextprotocol/client";
import type { PartDescription } from "../../simulator/parts.js";
import { Store } from "./store.js";

export interface DeviceSummary {
	readonly id: string;
	readonly label: string;
	readonly connected: boolean;
	readonly reason?: string;
}

export interface DeviceInFull {
	readonly id: string;
	readonly name?: string;
	readonly version?: string;
	readonly via?: string;
	readonly protocolVersion?: string;
	readonly connected: boolean;
	readonly reason?: string;
	readonly instructions?: string;
	readonly simulation?: { readonly board: string; readonly engine: string };
	readonly tools: readonly Tool[];
	/** Undefined where the hub does not offer them. */
	readonly userTools?: readonly Tool[];
}

export interface Part {
	readonly description: PartDescription;
	readonly state?: unknown;
}

export interface Entry {
	readonly number: number;
	readonly at: number;
	readonly kind: "in" | "out" | "log" | "note" | "speech";
	readonly text: string;
}

/** The page keeps as many entries as the hub does, and the newest of them. */
const MAX_ENTRIES = 800;
/** The hub says something every 10 s. */
const SILENCE_MS = 25_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

/** Of the page with the hub. "locked": the hub wants a token. */
export const link = new Store<"opening" | "open" | "lost" | "locked">("opening");
export const hint = new Store<string | undefined>(undefined);
export const devices = new Store<readonly DeviceSummary[]>([]);
export const device = new Store<DeviceInFull | undefined>(undefined);
export const parts = new Store<Readonly<Record<string, Part>>>({});
export const entries = new Store<readonly Entry[]>([]);

let token = "";
let wanted: string | undefined;
let build: string | undefined;
let opening: AbortController | undefined;

type Message =
	| { type: "hello"; build: string; hint?: string }
	| { type: "devices"; devices: readonly DeviceSummary[] }
	| { type: "device"; device: DeviceInFull }
	| { type: "parts"; whole: boolean; parts: Record<string, Part> }
	| { type: "entries"; whole: boolean; entries: readonly Entry[] }
	| { type: "beat" };

function take(message: Message): void {
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

/** Reads the stream until it ends, and then again, for ever. */
export async function run(): Promise<void> {
	readAddress();
	addEventListener("hashchange", () => {
		readAddress();
		opening?.abort();
	});
	for (let wait = FIRST_WAIT_MS; ; ) {
		opening = new AbortController();
		const { signal } = opening;
		const asked = wanted;
		try {
			const response = await fetch(`/bench/events${wanted === undefined ? "" : `?device=${encodeURIComponent(wanted)}`}`, {
				headers: headers(),
				signal,
			});
			if (response.status === 401) {
				link.value = "locked";
				await new Promise((resolve) => signal.addEventListener("abort", resolve));
				continue;
			}
			if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
			link.value = "open";
			wait = FIRST_WAIT_MS;
			await read(response.body, opening);
		} catch {
			// Whatever it was, the next attempt is soon.
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

async function read(body: ReadableStream<Uint8Array<ArrayBuffer>>, controller: AbortController): Promise<void> {
	let silence: ReturnType<typeof setTimeout> | undefined;
	let rest = "";
	for (const reader = body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
		clearTimeout(silence);
		silence = setTimeout(() => controller.abort(), SILENCE_MS);
		const { done, value } = await reader.read();
		if (done) break;
		const lines = (rest + value).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) take(JSON.parse(line) as Message);
	}
	clearTimeout(silence);
}

/** Shows another device. */
export function choose(id: string): void {
	location.hash = new URLSearchParams({ device: id }).toString();
}

/** Tries a token. */
export function unlock(given: string): void {
	token = given;
	sessionStorage.setItem("token", given);
	opening?.abort();
}

/** `#device=ID&token=T`: what stands behind the # is sent to nobody, and the token does not stay there. */
function readAddress(): void {
	const query = new URLSearchParams(location.hash.slice(1));
	const given = query.get("token");
	token = given ?? sessionStorage.getItem("token") ?? "";
	if (given !== null) {
		sessionStorage.setItem("token", given);
		query.delete("token");
		history.replaceState(null, "", query.size > 0 ? `#${query}` : location.pathname);
	}
	wanted = query.get("device") ?? undefined;
}

function headers(): Record<string, string> {
	return token === "" ? {} : { Authorization: `Bearer ${token}` };
}

async function post(path: string, body: object): Promise<unknown> {
	const response = await fetch(path, {
		method: "POST",
		headers: { ...headers(), "Content-Type": "application/json" },
		body: JSON.stringify(body),
	});
	const value = (await response.json()) as { error?: unknown };
	if (!response.ok) throw new Error(typeof value.error === "string" ? value.error : `status ${response.status}`);
	return value;
}

/** @throws Error with the hub's words when the device is away, or the hub is */
export async function callTool(id: string, name: string, args: Record<string, unknown>): Promise<CallToolResult> {
	return (await post(`/devices/${encodeURIComponent(id)}/call`, { name, arguments: args })) as CallToolResult;
}

/** Does something to a part of a simulated board; where nobody hears it, the page says so by its state. */
export function doTo(part: string, input: Record<string, unknown>): void {
	const id = device.value?.id;
	if (id !== undefined) void post("/bench/input", { device: id, part, input }).catch(() => {});
}
