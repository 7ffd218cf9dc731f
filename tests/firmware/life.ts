// Starts whole devices on the XS engine, and the servers that they live with.

import { createServer } from "node:net";
import { afterEach } from "@jest/globals";
import { type Preferences, type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { ConfigurationServer } from "../support/configuration-server.js";
import { LogWatch } from "../support/launch.js";
import { TestBackend } from "../support/test-backend.js";

/** For a test that takes several starts. */
export const LONG_MS = 30_000;
/** What is closed after each test, the last first. */
export const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
	for (const close of closing.splice(0).reverse()) await close();
});

/** A backend that is closed after the test. */
export async function backend(): Promise<TestBackend> {
	const made = await TestBackend.listen();
	closing.push(() => made.close());
	return made;
}

/** What a server answers. */
export type Answer = Parameters<typeof ConfigurationServer.listen>[0];

/** A configuration server, or any other for HTTP, that is closed after the test. */
export async function configurationServer(answer: Answer): Promise<ConfigurationServer> {
	const made = await ConfigurationServer.listen(answer);
	closing.push(() => made.close());
	return made;
}

/** A device with its log, and what its parts show. */
export interface Started {
	device: RunningDevice;
	log: LogWatch;
	shown: Map<string, unknown>;
	showing(part: string, matches: (state: never) => boolean): Promise<unknown>;
}

/** Starts a device, and closes it after the test. */
export async function start(config: Record<string, unknown>, preferences?: Preferences, resources?: Record<string, Uint8Array>): Promise<Started> {
	const log = new LogWatch();
	const shown = new Map<string, unknown>();
	let look = () => {};
	const device = await runDevice({
		board: "simulator",
		engine: "xs",
		config: { device_id: "02:00:00:00:00:01", owner_tools: "on", ...config },
		preferences,
		...(resources ? { resources } : {}),
		onLog: (line) => log.add(line),
		onShow(part, state) {
			shown.set(part, state);
			look();
		},
	});
	closing.push(() => device.close());
	const showing = (part: string, matches: (state: never) => boolean) =>
		new Promise((resolve) => {
			look = () => {
				const state = shown.get(part);
				if (state !== undefined && matches(state as never)) resolve(state);
			};
			look();
		});
	return { device, log, shown, showing };
}

/** Starts a device whose time stands still unless it is moved. */
export async function startSlowly(config: Record<string, unknown>, preferences?: Preferences) {
	const log = new LogWatch();
	const device = await runDevice({
		board: "simulator",
		engine: "xs",
		clock: "manual",
		config: { owner_tools: "on", ...config },
		preferences,
		onLog: (line) => log.add(line),
	});
	closing.push(() => device.close());
	/** Lets a little time pass until what is waited for has come. */
	async function meanwhile<T>(promise: Promise<T>): Promise<T> {
		let done = false;
		const end = () => {
			done = true;
		};
		promise.then(end, end);
		while (!done) {
			await device.advance(2);
			await new Promise((resolve) => setImmediate(resolve));
		}
		return promise;
	}
	return { device, log, meanwhile };
}

/** A listener that takes connections and says nothing: no valid hello ever. @returns its address */
export async function silentBackend(): Promise<string> {
	const silent = createServer((socket) => socket.resume().on("error", () => {}));
	await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
	closing.push(() => new Promise((resolve) => silent.close(resolve)));
	return `ws://127.0.0.1:${(silent.address() as { port: number }).port}/`;
}

/** Answers with a value as JSON. */
export const json = (value: unknown): Answer => {
	return (_, response) => response.setHeader("content-type", "application/json").end(JSON.stringify(value));
};

/** What a device remembers that is about to start a new firmware. */
export const upgraded = (): Preferences => ({
	"mcp-life": { planned: "self.upgrade_firmware", replaced: "ota_0" },
	"sim-slots": { running: 0, state: "new" },
});

export const IMAGE_BYTES = 100_000;
/** The beginning of a firmware image, as far as it is looked at. */
export const image = Buffer.alloc(IMAGE_BYTES, 7);
image[0] = 0xe9;
image.writeUInt16LE(9, 12);
image.writeUInt32LE(0xabcd5432, 32);
image.write("2.3.4\0", 48);

/** A device in session with a backend, whose user tools are listed. */
export async function connected(config: Record<string, unknown> = {}) {
	const peer = await backend();
	const started = await start({ url: peer.url, ...config });
	const device = await peer.session();
	await device.ask("tools/list", { withUserTools: true });
	return { ...started, peer, session: device };
}
