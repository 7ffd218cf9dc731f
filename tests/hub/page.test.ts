// The page's side of the hub without a browser: what is kept of a device, what the stream tells, and who is let in.

import { afterEach, describe, expect, test } from "@jest/globals";
import { MAX_STREAMS } from "../../hub/bench-routes.js";
import { Devices } from "../../hub/devices.js";
import { MAX_CHARACTERS, MAX_ENTRIES, MAX_VIEWS, Observer } from "../../hub/observer.js";
import { createPage } from "../../hub/page.js";
import { partsOf } from "../../hub/real-devices.js";
import { TestHub } from "../support/hub.js";
import { createToolBoard } from "../support/tool-board.js";

const ends: (() => unknown)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

type Message = Record<string, unknown> & { type: string };

/** A hub with a page, and `me` as the board of this program. */
async function open(token?: string) {
	const routes = {};
	const openRoutes = {};
	const hub = await TestHub.start({ userTools: true, token, routes, openRoutes });
	const observer = new Observer(hub.devices);
	const page = await createPage(observer, { userTools: true });
	Object.assign(routes, page.routes);
	Object.assign(openRoutes, page.openRoutes);
	ends.push(async () => {
		page.close();
		await hub.close();
	});
	const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
	return { hub, observer, headers };
}

/** Reads a stream line by line. */
async function listen(url: string, headers: Record<string, string> = {}) {
	const stop = new AbortController();
	ends.push(() => stop.abort());
	const response = await fetch(url, { headers, signal: stop.signal });
	const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
	let rest = "";
	const waiting: Message[] = [];
	const next = async (type: string): Promise<Message> => {
		for (;;) {
			const message = waiting.shift();
			if (message?.type === type) return message;
			if (message) continue;
			const { value = "", done } = await reader.read();
			if (done) throw new Error(`the stream ended before ${type}`);
			const lines = (rest + value).split("\n");
			rest = lines.pop() ?? "";
			waiting.push(...lines.map((line) => JSON.parse(line) as Message));
		}
	};
	return { response, next, stop: () => stop.abort() };
}

const light = (on: boolean) => ({ on, brightness: 50, pixels: [[1, 2, 3]] });

describe("what is kept of a device", () => {
	test("is the newest, and never more than its limits", () => {
		const observer = new Observer(new Devices());
		for (let number = 0; number < MAX_ENTRIES + 50; number++) observer.log("a", `line ${number}`);
		const { length } = observer.view("a").entries();
		expect([length, observer.view("a").entries().at(-1)?.text]).toEqual([MAX_ENTRIES, `line ${MAX_ENTRIES + 49}`]);
		for (let number = 0; number < 100; number++) observer.log("b", "x".repeat(60_000));
		const kept = observer.view("b").entries();
		expect(kept.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(MAX_CHARACTERS);
		for (let number = 0; number < 500; number++) observer.describe("a", `part${number}`, { kind: "part" });
		expect(observer.view("a").parts.size).toBe(64);
		for (let number = 0; number < 2 * MAX_VIEWS; number++) observer.note(`device ${number}`, "came");
		expect(observer.peek("device 0")).toBeUndefined();
		expect(observer.peek(`device ${2 * MAX_VIEWS - 1}`)).toBeDefined();
	});

	test("a state of what was never described is not kept", () => {
		const observer = new Observer(new Devices());
		observer.show("a", "light", light(true));
		expect(observer.view("a").parts.size).toBe(0);
	});
});

describe("the stream", () => {
	test("begins with all that is there, and goes on with what changes, many changes as one", async () => {
		const { hub, observer } = await open();
		observer.describe("me", "light", { kind: "light" });
		observer.show("me", "light", light(false));
		observer.log("me", "first");
		const stream = await listen(`${hub.http}/bench/events?device=me`);
		expect(await stream.next("parts")).toEqual({
			type: "parts",
			whole: true,
			parts: { light: { description: { kind: "light" }, state: light(false) } },
		});
		expect(await stream.next("entries")).toMatchObject({ whole: true, entries: [{ number: 1, kind: "log", text: "first" }] });
		for (let count = 0; count < 100; count++) observer.show("me", "light", light(count % 2 > 0));
		expect(await stream.next("parts")).toMatchObject({ whole: false, parts: { light: { state: light(true) } } });
		observer.log("me", "second");
		expect(await stream.next("entries")).toMatchObject({ whole: false, entries: [{ text: "second" }] });
		observer.restarted("me");
		expect(await stream.next("parts")).toMatchObject({ whole: true, parts: {} });
	});

	test("tells the messages of both directions, and who comes and goes", async () => {
		const { hub } = await open();
		const endpoint = await hub.endpoint("lamp", createToolBoard().answers);
		const stream = await listen(`${hub.http}/bench/events`);
		expect(await stream.next("device")).toMatchObject({ device: { id: "lamp", connected: true, userTools: [{ name: "self.reboot" }] } });
		const { entries } = (await stream.next("entries")) as unknown as { entries: { kind: string; text: string }[] };
		expect(entries[0]).toMatchObject({ kind: "out", text: expect.stringContaining('"method":"initialize"') });
		expect(entries.some(({ kind, text }) => kind === "in" && text.includes('"tools"'))).toBe(true);
		endpoint.breakOff();
		expect(await stream.next("devices")).toMatchObject({ devices: [{ id: "lamp", connected: false, reason: "the connection broke off" }] });
	});

	test("has a limit of pages, and those that have gone do not count", async () => {
		const { hub } = await open();
		const url = `${hub.http}/bench/events`;
		const streams = [];
		for (let count = 0; count < MAX_STREAMS; count++) streams.push(await listen(url));
		expect((await fetch(url)).status).toBe(503);
		streams[0]?.stop();
		for (;;) {
			const { response, stop } = await listen(url);
			stop();
			if (response.status === 200) break;
		}
	});
});

describe("a device that says what to draw", () => {
	test("is drawn by what can be drawn of it, and nothing else that it says", () => {
		const drawing = {
			light: { on: true, brightness: 50, pixels: "ff0000zz00ff00" },
			audio_speaker: "loud",
			angles: { left_leg: 90, right_leg: "up", servo0: 10 },
			body: { moving: true },
			input: { boot: { pressed: true, presses: 1 }, touch: { pressed: false } },
			network: { type: "wifi" },
		};
		const parts = partsOf(drawing, { servo0: { label: "left arm" }, matrix: { columns: 5 }, "pin 0": { label: "boot", zh: "启动键" } });
		expect(Object.fromEntries(parts)).toEqual({
			light: {
				description: { kind: "light", columns: 5 },
				state: {
					on: true,
					brightness: 50,
					pixels: [
						[255, 0, 0],
						[0, 255, 0],
					],
				},
			},
			left_leg: { description: { kind: "servo", label: "left leg" }, state: { angle: 90, position: 90, moving: true } },
			servo0: { description: { kind: "servo", label: "left arm" }, state: { angle: 10, position: 10, moving: true } },
			boot: { description: { kind: "button", label: "boot", zh: "启动键" }, state: { pressed: true, presses: 1 } },
		});
	});
});

describe("who is let in", () => {
	test("the page's files are open, everything that knows of devices wants the token", async () => {
		const { hub, headers } = await open("geheim");
		for (const path of ["/", "/page/main.js", "/page/main.css", "/page/icon.svg"]) {
			const response = await fetch(hub.http + path);
			expect([path, response.status]).toEqual([path, 200]);
			expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
			expect(await response.text()).not.toContain("geheim");
		}
		for (const path of ["/bench/events", "/bench/input", "/devices"]) expect((await fetch(hub.http + path)).status).toBe(401);
		expect((await fetch(`${hub.http}/devices`, { headers })).status).toBe(200);
		expect((await fetch(`${hub.http}/page/nothing`)).status).toBe(404);
		expect((await fetch(`${hub.http}/`, { method: "POST" })).status).toBe(405);
	});

	test("no other page, and nothing but JSON does something to a board", async () => {
		const { hub, observer } = await open();
		const inputs: unknown[] = [];
		observer.view("me").simulation = { board: "simulator", engine: "XS", input: (...input) => inputs.push(input) };
		const body = JSON.stringify({ device: "me", part: "button", input: { pressed: true } });
		const post = async (headers: Record<string, string>, text = body) =>
			(await fetch(`${hub.http}/bench/input`, { method: "POST", headers, body: text })).status;
		const json = { "Content-Type": "application/json" };
		expect(await post({ "Content-Type": "text/plain" })).toBe(415);
		expect(await post({ ...json, Origin: "http://example.com" })).toBe(403);
		expect(await post(json, JSON.stringify({ device: "you", part: "button", input: {} }))).toBe(404);
		expect(await post(json, JSON.stringify({ device: "me", part: "button", input: null }))).toBe(400);
		expect(await post(json, "{")).toBe(400);
		expect(await post({ ...json, Origin: hub.http })).toBe(200);
		expect(inputs).toEqual([["button", { pressed: true }]]);
	});
});
