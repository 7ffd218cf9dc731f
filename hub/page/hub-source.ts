// The hub as the page's source: the stream of `/bench/events`, and requests for what goes the other way.

import type { CallToolResult } from "@modelcontextprotocol/client";
import type { BenchMessage } from "../bench-stream.js";
import { LockedError, type Source } from "./state.js";

/** The hub says something every 10 s. */
const SILENCE_MS = 25_000;

export const hubSource: Source = {
	async events(wanted, hear, signal) {
		const controller = new AbortController();
		signal.addEventListener("abort", () => controller.abort());
		const query = wanted === undefined ? "" : `?device=${encodeURIComponent(wanted)}`;
		const response = await fetch(`/bench/events${query}`, { headers: headers(), signal: controller.signal });
		if (response.status === 401) throw new LockedError();
		if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
		await read(response.body, hear, controller);
	},
	async call(id, name, args) {
		return (await post(`/devices/${encodeURIComponent(id)}/call`, { name, arguments: args })) as CallToolResult;
	},
	async input(device, part, input) {
		await post("/bench/input", { device, part, input });
	},
};

async function read(
	body: ReadableStream<Uint8Array<ArrayBuffer>>,
	hear: (message: BenchMessage) => void,
	controller: AbortController,
): Promise<void> {
	let silence: ReturnType<typeof setTimeout> | undefined;
	let rest = "";
	for (const reader = body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
		clearTimeout(silence);
		silence = setTimeout(() => controller.abort(), SILENCE_MS);
		const { done, value } = await reader.read();
		if (done) break;
		const lines = (rest + value).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) hear(JSON.parse(line) as BenchMessage);
	}
	clearTimeout(silence);
}

function headers(): Record<string, string> {
	const token = sessionStorage.getItem("token");
	return token ? { Authorization: `Bearer ${token}` } : {};
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
