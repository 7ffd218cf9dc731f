// Sessions brought in line with the connections that a device is to have.

import { beforeEach, describe, expect, test } from "@jest/globals";
import { type ManagedSession, type SessionCallbacks, SessionManager } from "session/session-manager";

interface Settings {
	readonly name: string;
	readonly url: string;
}

/** A session under the test's hand. */
class FakeSession implements ManagedSession {
	started = 0;
	closed = 0;
	readonly settings: Settings;
	readonly callbacks: SessionCallbacks;

	constructor(settings: Settings, callbacks: SessionCallbacks) {
		this.settings = settings;
		this.callbacks = callbacks;
	}
	start(): void {
		this.started++;
		happened.push(`start ${this.settings.url}`);
		if (this.settings.url === "unusable") throw new RangeError("it can never start");
	}
	close(): void {
		this.closed++;
		happened.push(`close ${this.settings.url}`);
		this.callbacks.onReady(false);
	}
}

const A = { name: "session", url: "a" };
const B = { name: "mqtt", url: "b" };
let made: FakeSession[] = [];
let happened: string[] = [];
let logged: string[] = [];
let ready: number[] = [];
let good = 0;

function createManager(): SessionManager<Settings> {
	return new SessionManager<Settings>({
		create(settings, callbacks) {
			if (settings.url === "refused") throw new TypeError("it cannot be made");
			const session = new FakeSession(settings, callbacks);
			made.push(session);
			return session;
		},
		log: (line) => logged.push(line),
		onStarted: ({ url }) => logged.push(`started ${url}`),
		onChange: (count) => ready.push(count),
		onReady: () => good++,
		onLost: ({ name }, reason) => logged.push(`${name}: ${reason}`),
	});
}

/** Those that are open, in the order in which they were started. */
const open = () => made.filter(({ started, closed }) => started && !closed).map(({ settings }) => settings.url);

beforeEach(() => {
	made = [];
	happened = [];
	logged = [];
	ready = [];
	good = 0;
});

describe("an update", () => {
	test("starts what is new", () => {
		createManager().update([A, B]);
		expect(happened).toEqual(["start a", "start b"]);
		expect(logged).toEqual(["started a", "started b"]);
	});

	test("leaves alone what stays the same, even as another object", () => {
		const manager = createManager();
		manager.update([A, B]);
		manager.update([{ ...A }, { ...B }]);
		manager.update([B, A]);
		expect(happened).toEqual(["start a", "start b"]);
	});

	test("closes what is replaced, before the new one starts: a device never holds two", () => {
		const manager = createManager();
		manager.update([A, B]);
		manager.update([{ ...A, url: "c" }, B]);
		expect(happened).toEqual(["start a", "start b", "close a", "start c"]);
		expect(open()).toEqual(["b", "c"]);
	});

	test("closes what is gone, before anything new starts", () => {
		const manager = createManager();
		manager.update([A]);
		manager.update([B]);
		expect(happened).toEqual(["start a", "close a", "start b"]);
		manager.update([]);
		expect(open()).toEqual([]);
	});

	test("starts again what was closed", () => {
		const manager = createManager();
		manager.update([A]);
		manager.close();
		manager.close();
		manager.update([A]);
		expect(happened).toEqual(["start a", "close a", "start a"]);
	});
});

test.each([
	["refused", "it cannot be made"],
	["unusable", "it can never start"],
])("settings that can never work (%s) cost a line, not the others, and close what they replace", (url, problem) => {
	const manager = createManager();
	manager.update([A, B]);
	logged.length = 0;
	const bad = { ...A, url };
	manager.update([bad, B, { name: "framed", url: "d" }]);
	expect(logged).toEqual([`session: ${problem}; off until its settings change`, "started d"]);
	expect(made.find(({ settings }) => settings.url === "a")?.closed).toBe(1);
	manager.update([A, B]);
	expect(happened.at(-1)).toBe("start a");
});

describe("what is told", () => {
	test("is how many sessions are ready, and each that becomes so", () => {
		const manager = createManager();
		manager.update([A, B]);
		const [a, b] = made as [FakeSession, FakeSession];
		a.callbacks.onReady(true);
		b.callbacks.onReady(true);
		b.callbacks.onReady(true);
		a.callbacks.onReady(false);
		expect(ready).toEqual([0, 0, 1, 2, 2, 1]);
		expect(good).toBe(3);
		manager.update([A]);
		expect(ready.at(-1)).toBe(0);
	});

	test("is not what a replaced session still says", () => {
		const manager = createManager();
		manager.update([A]);
		const [old] = made as [FakeSession];
		old.callbacks.onReady(true);
		manager.update([{ ...A, url: "c" }]);
		ready.length = 0;
		old.callbacks.onReady(true);
		old.callbacks.onReady(false);
		expect([ready, good]).toEqual([[], 1]);
	});

	test("is why a connection was lost", () => {
		createManager().update([A]);
		made[0]?.callbacks.onLost("the server has gone");
		expect(logged.at(-1)).toBe("session: the server has gone");
	});
});
