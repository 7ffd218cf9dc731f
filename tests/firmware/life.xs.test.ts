// A device's life on the XS engine against real servers: settings, configuration, activation, safe mode, upgrade.

import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { type Preferences, type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { ACCOUNT, startAedes } from "../support/brokers.js";
import { makeCertificate } from "../support/certificates.mjs";
import { ConfigurationServer } from "../support/configuration-server.js";
import { FramedService } from "../support/framed-service.js";
import { LogWatch } from "../support/launch.js";
import { MqttBackend } from "../support/mqtt-peer-client.js";
import { TestBackend } from "../support/test-backend.js";

const LONG_MS = 30_000;
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
	for (const close of closing.splice(0).reverse()) await close();
});

async function backend(): Promise<TestBackend> {
	const made = await TestBackend.listen();
	closing.push(() => made.close());
	return made;
}

type Answer = Parameters<typeof ConfigurationServer.listen>[0];

async function configurationServer(answer: Answer): Promise<ConfigurationServer> {
	const made = await ConfigurationServer.listen(answer);
	closing.push(() => made.close());
	return made;
}

interface Started {
	device: RunningDevice;
	log: LogWatch;
	shown: Map<string, unknown>;
	showing(part: string, matches: (state: never) => boolean): Promise<unknown>;
}

async function start(config: Record<string, unknown>, preferences?: Preferences, resources?: Record<string, Uint8Array>): Promise<Started> {
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
async function startSlowly(config: Record<string, unknown>, preferences?: Preferences) {
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
async function silentBackend(): Promise<string> {
	const silent = createServer((socket) => socket.resume().on("error", () => {}));
	await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
	closing.push(() => new Promise((resolve) => silent.close(resolve)));
	return `ws://127.0.0.1:${(silent.address() as { port: number }).port}/`;
}

const json = (value: unknown): Answer => {
	return (_, response) => response.setHeader("content-type", "application/json").end(JSON.stringify(value));
};

describe("the configuration server", () => {
	test("gives the device its backend and token, and gets its system information", async () => {
		const peer = await backend();
		const server = await configurationServer(
			json({ websocket: { url: peer.url, token: "from-the-server" }, firmware: { version: "9.9.9", url: "" } }),
		);
		const { log } = await start({ ota_url: server.url, token: "not-this-one" });
		const device = await peer.connection();
		expect(device.request.headers.authorization).toBe("Bearer from-the-server");
		const [request] = server.requests;
		expect(request?.method).toBe("POST");
		expect(request?.headers).toMatchObject({ "device-id": "02:00:00:00:00:01", "activation-version": "1", host: `127.0.0.1:${server.port}` });
		expect(JSON.parse(request?.body ?? "")).toMatchObject({ version: 2, mac_address: "02:00:00:00:00:01", board: { type: "simulator" } });
		expect(await log.logged(/upgrade: version 9\.9\.9 is available/)).toBeTruthy();
		expect(log.lines.join("\n")).not.toContain("from-the-server");
	});

	test("is asked over TLS where its address is https://, and not trusted when a stranger has signed its certificate", async () => {
		const peer = await backend();
		const ca = makeCertificate({ name: "Own CA", authority: true });
		const config = { certificate: "own-ca.der", allow_plain: "on" };
		const resources = { "own-ca.der": ca.bytes };
		for (const issuer of [ca, makeCertificate({ name: "Stranger", authority: true })]) {
			const server = await ConfigurationServer.listen(
				json({ websocket: { url: peer.url, token: "over-tls" } }),
				makeCertificate({ name: "localhost", names: ["localhost"], issuer, key: "rsa" }),
			);
			closing.push(() => server.close());
			const { log } = await start({ ...config, ota_url: server.url }, undefined, resources);
			if (issuer === ca) expect((await peer.connection()).request.headers.authorization).toBe("Bearer over-tls");
			else {
				expect(await log.logged(/^configuration: TLS failed: .*; asking again/)).toBeTruthy();
				expect(server.requests).toEqual([]);
			}
		}
	});

	test("gives the device its broker, which goes before a backend", async () => {
		const broker = await startAedes();
		closing.push(() => broker.close());
		const topics = { fromDevice: "devices/up", toDevice: "devices/down" };
		const peer = await MqttBackend.connect(broker.port, topics, ACCOUNT);
		closing.push(async () => peer.close());
		const server = await configurationServer(
			json({
				websocket: { url: "ws://127.0.0.1:9/", token: "" },
				mqtt: {
					endpoint: `127.0.0.1:${broker.port}`,
					client_id: "device-1",
					username: ACCOUNT.username,
					password: ACCOUNT.password,
					publish_topic: topics.fromDevice,
					subscribe_topic: topics.toDevice,
				},
			}),
		);
		const { log } = await start({ ota_url: server.url });
		expect(await peer.hello()).toMatchObject({ type: "hello", transport: "udp" });
		expect(log.lines.join("\n")).not.toContain(ACCOUNT.password);
		expect(log.lines.join("\n")).not.toContain("127.0.0.1:9/");
	});

	test("is not needed by a device that once had its configuration", async () => {
		const peer = await backend();
		const server = await ConfigurationServer.listen(json({ websocket: { url: peer.url, token: "kept" } }));
		const otaUrl = server.url;
		const first = await start({ ota_url: otaUrl });
		await peer.connection();
		await first.device.close();
		await server.close();
		const second = await start({ ota_url: otaUrl }, first.device.preferences);
		expect((await peer.connection()).request.headers.authorization).toBe("Bearer kept");
		expect(await second.log.logged(/^configuration: could not connect to 127\.0\.0\.1:\d+; using the last one$/)).toBeTruthy();
	});

	test.each<[string, Answer, RegExp]>([
		[
			"a web page",
			(_, response) => response.setHeader("content-type", "text/html").end("<!DOCTYPE html><html><body>404</body></html>"),
			/the answer is a web page, not a configuration/,
		],
		["1 MB", (_, response) => response.end("x".repeat(1 << 20)), /the answer is too long: .*at most 4096 are read/],
		["an error with status 200", json({ success: false, message: "Invalid device ID" }), /the server refused: Invalid device ID/],
		["status 500", (_, response) => response.writeHead(500).end("oops"), /the server answered 500/],
		["nothing, cutting the line", (_, response) => response.destroy(), /the server ended the connection without an answer/],
		[
			"half a reply",
			(_, response) => response.writeHead(200, { "content-length": 100 }).write('{"websocket":', () => response.destroy()),
			/the connection was lost, 87 bytes before the end/,
		],
	])("that answers with %s costs a clear line, and the backend and the endpoint in the settings are used", async (_title, answer, line) => {
		const peer = await backend();
		const other = await backend();
		const server = await configurationServer(answer);
		const { log, device } = await start({ ota_url: server.url, url: peer.url, token: "own", endpoint: `${other.url}?token=hidden` });
		expect(await log.logged(line)).toMatch(/^configuration: .*; asking again in \d+\.\d s$/);
		expect((await peer.connection()).request.headers.authorization).toBe("Bearer own");
		await other.connection();
		expect(log.lines.join("\n")).not.toContain("hidden");
		expect(await device.evaluate("1+1")).toBe(2);
	});

	test(
		"gets the device activated: the code is logged and shown, asked after, and gone when it is done",
		async () => {
			const peer = await backend();
			let polls = 0;
			const server = await configurationServer((request, response) => {
				if (request.url === "/ota/activate") response.writeHead(++polls < 2 ? 202 : 200).end("{}");
				else
					json(
						polls < 2 ? { activation: { code: "246810", message: "Type in", challenge: "c" } } : { websocket: { url: peer.url, token: "activated" } },
					)(request, response);
			});
			const { log, showing } = await start({ ota_url: server.url });
			expect(await log.logged(/activation: enter the code 246810 \(Type in\)/)).toBeTruthy();
			expect(await showing("screen", ({ text }: { text?: string }) => text !== undefined)).toMatchObject({ text: "Type in 246810" });
			expect((await peer.connection()).request.headers.authorization).toBe("Bearer activated");
			expect(await showing("screen", ({ text }: { text?: string }) => text === undefined)).toBeTruthy();
			expect(server.requests.map(({ url }) => url)).toEqual(["/ota/", "/ota/activate", "/ota/activate", "/ota/"]);
		},
		LONG_MS,
	);
});

test(
	"a setting that the owner changes is used after a restart, is kept, and a factory reset forgets it; no secret leaves the device",
	async () => {
		const first = await backend();
		const second = await backend();
		const { log } = await start({ url: first.url, token: "build-token" });
		let device = await first.session();
		await device.ask("tools/list", { withUserTools: true });
		await device.call("self.settings.set", { name: "url", value: `${second.url}?key=hidden` });
		await device.call("self.settings.set", { name: "token", value: "owner-secret" });
		await expect(device.call("self.settings.set", { name: "url", value: "http://x/" })).rejects.toThrow(
			"-32000 url: the WebSocket address must begin with ws:// or wss://",
		);
		await device.call("self.reboot");
		device = await second.session();
		expect(device.request.headers.authorization).toBe("Bearer owner-secret");
		await device.ask("tools/list", { withUserTools: true });
		const shown = await device.call("self.settings.get");
		expect(JSON.parse(shown)).toMatchObject({ url: `${second.url}?…`, token: "set", password: "not set" });
		const info = JSON.parse(await device.call("self.get_system_info"));
		expect(info).toMatchObject({ safe_mode: false, last_restarts: ["unknown", "self.reboot"], last_disconnects: [] });
		expect(await device.call("self.settings.reset")).toBe("true");
		device = await first.session();
		expect(device.request.headers.authorization).toBe("Bearer build-token");
		for (const secret of ["owner-secret", "hidden", "build-token"]) expect(`${shown}${log.lines.join("\n")}`).not.toContain(secret);
	},
	LONG_MS,
);

test(
	"a broker and a framed service that the owner sets are connected to after a restart, beside the backend, and what they are told is theirs",
	async () => {
		const broker = await startAedes();
		closing.push(() => broker.close());
		const topics = { fromDevice: "devices/up", toDevice: "devices/down" };
		const mqtt = await MqttBackend.connect(broker.port, topics, ACCOUNT);
		closing.push(async () => mqtt.close());
		const framed = await FramedService.listen({ token: "owner-jwt" });
		closing.push(() => framed.close());
		const peer = await backend();
		const { log } = await start({ url: peer.url });
		let device = await peer.session();
		await device.ask("tools/list", { withUserTools: true });
		const settings = {
			mqtt_endpoint: `127.0.0.1:${broker.port}`,
			mqtt_username: ACCOUNT.username,
			mqtt_password: ACCOUNT.password,
			mqtt_publish: topics.fromDevice,
			mqtt_subscribe: topics.toDevice,
			framed_address: framed.address,
			framed_token: "owner-jwt",
		};
		for (const [name, value] of Object.entries(settings)) await device.call("self.settings.set", { name, value });
		const shown = JSON.parse(await device.call("self.settings.get"));
		expect(shown).toMatchObject({ mqtt_endpoint: settings.mqtt_endpoint, mqtt_password: "set", framed_token: "set" });
		await device.call("self.reboot");
		const client = await framed.client();
		await client.registered();
		await mqtt.hello();
		device = await peer.session();
		const { result } = await mqtt.ask("tools/call", { name: "self.audio_speaker.set_volume", arguments: { volume: 12 } });
		expect(result.isError).toBe(false);
		expect(JSON.parse(await device.call("self.get_device_status")).audio_speaker.volume).toBe(12);
		for (const secret of [ACCOUNT.password, "owner-jwt"]) expect(`${JSON.stringify(shown)}${log.lines.join("\n")}`).not.toContain(secret);
	},
	LONG_MS,
);

test("a device that failed three times comes up with the common tools and the main session only", async () => {
	const peer = await backend();
	const endpoint = await backend();
	const { log } = await start({ url: peer.url, endpoint: endpoint.url }, { "mcp-life": { crashes: 3 } });
	const device = await peer.session();
	const { result } = await device.ask("tools/list", {});
	expect(result.tools.map(({ name }: { name: string }) => name)).toEqual([
		"self.get_device_status",
		"self.audio_speaker.set_volume",
		"self.screen.set_brightness",
		"self.screen.set_theme",
	]);
	await device.ask("tools/list", { withUserTools: true });
	expect(JSON.parse(await device.call("self.get_system_info"))).toMatchObject({ safe_mode: true });
	expect(log.lines.some((line) => /connects to/.test(line) && line.includes(String(endpoint.port)))).toBe(false);
	// The valid hello ends it: the next life is a whole one.
	await device.call("self.reboot");
	const again = await peer.session();
	expect((await again.ask("tools/list", {})).result.tools.length).toBeGreaterThan(4);
});

test(
	"a firmware that keeps failing brings itself to safe mode",
	async () => {
		const url = await silentBackend();
		let preferences: Preferences = {};
		for (let life = 1; life <= 4; life++) {
			const { device, log } = await start({ url }, preferences);
			await log.logged(/connects to/);
			expect(log.lines.some((line) => line.startsWith("boot: safe mode"))).toBe(life === 4);
			preferences = structuredClone(device.preferences);
			await device.close();
		}
	},
	LONG_MS,
);

test("a silent backend is pinged; one that does not answer is left within 90 s, and connected to again", async () => {
	const peer = await backend();
	const { device, log, meanwhile } = await startSlowly({ url: peer.url });
	const first = await meanwhile(peer.session());
	await meanwhile(log.logged(/session: ready/));
	let pings = 0;
	first.socket.on("ping", () => pings++);
	for (let minute = 0; minute < 5; minute++) {
		const pinged = new Promise((resolve) => first.socket.once("ping", resolve));
		await device.advance(60_000);
		await meanwhile(pinged);
		// The answer is on its way through a real socket: a call shows that it has arrived.
		expect(await meanwhile(first.call("self.audio_speaker.set_volume", { volume: minute }))).toBe("true");
	}
	expect(pings).toBeGreaterThanOrEqual(5);
	first.socket.pause();
	await device.advance(91_000);
	expect(await log.logged(/^session: no message for 60 s, nor an answer to a ping; connecting again/)).toBeTruthy();
	first.socket.terminate();
	const second = await meanwhile(peer.session());
	await meanwhile(second.ask("tools/list", { withUserTools: true }));
	const info = JSON.parse(await meanwhile(second.call("self.get_system_info")));
	expect(info.last_disconnects).toMatchObject([{ reason: expect.stringMatching(/^session: no message/), at: expect.any(String) }]);
});

describe("a new firmware", () => {
	/** What a device remembers that is about to start a new firmware. */
	const upgraded = (): Preferences => ({
		"mcp-life": { planned: "self.upgrade_firmware", replaced: "ota_0" },
		"sim-slots": { running: 0, state: "new" },
	});

	test("that gets no valid hello in 10 minutes gives way to the one before, which says so", async () => {
		const { device, log, meanwhile } = await startSlowly({ url: await silentBackend() }, upgraded());
		await meanwhile(log.logged(/connects to/));
		expect(log.lines).toContain("boot: this firmware is new and on trial until a valid hello");
		const before = log.logged(/^boot: the firmware from before the upgrade runs again; rolled back: no valid hello in 10 minutes$/);
		await device.advance(599_000);
		expect(log.lines.some((line) => line.startsWith("boot: the new firmware is rolled back"))).toBe(false);
		await device.advance(1000);
		expect(await meanwhile(before)).toBeTruthy();
		expect(device.preferences["mcp-life"]).toMatchObject({ restarts: "self.upgrade_firmware\nrolled back: no valid hello in 10 minutes" });
	});

	test(
		"that waits for its owner to activate the device is not rolled back",
		async () => {
			let polled = () => {};
			const server = await configurationServer((request, response) => {
				if (request.url !== "/ota/activate") return json({ activation: { code: "246810" } })(request, response);
				response.writeHead(202).end("{}");
				polled();
			});
			const { device, log, meanwhile } = await startSlowly({ ota_url: server.url, endpoint: await silentBackend() }, upgraded());
			await meanwhile(log.logged(/^activation: enter the code/));
			// Longer than the trial. The server is real and knows nothing of the device's time, so each minute waits for its poll.
			for (let minute = 0; minute < 12; minute++) {
				const poll = new Promise<void>((resolve) => {
					polled = resolve;
				});
				await device.advance(60_000);
				await meanwhile(poll);
			}
			expect(log.lines.some((line) => line.includes("rolled back"))).toBe(false);
		},
		LONG_MS,
	);

	test("that ends without a valid hello is taken back by the bootloader, and the session says so", async () => {
		const first = await start({ url: await silentBackend() }, upgraded());
		await first.log.logged(/connects to/);
		await first.device.close();
		const peer = await backend();
		const { log } = await start({ url: peer.url }, first.device.preferences);
		const device = await peer.session();
		await device.ask("tools/list", { withUserTools: true });
		const reason = "rolled back: the new firmware ended early (unknown)";
		expect(JSON.parse(await device.call("self.get_system_info"))).toMatchObject({
			ota: { label: "ota_0" },
			last_restarts: ["self.upgrade_firmware", reason],
			safe_mode: false,
		});
		expect(log.lines).toContain(`boot: the firmware from before the upgrade runs again; ${reason}`);
	});
});

describe("self.upgrade_firmware", () => {
	const IMAGE_BYTES = 100_000;
	const image = Buffer.alloc(IMAGE_BYTES, 7);
	image[0] = 0xe9;
	image.writeUInt16LE(9, 12);
	image.writeUInt32LE(0xabcd5432, 32);
	image.write("2.3.4\0", 48);

	async function connected(config: Record<string, unknown> = {}) {
		const peer = await backend();
		const started = await start({ url: peer.url, ...config });
		const device = await peer.session();
		await device.ask("tools/list", { withUserTools: true });
		return { ...started, peer, session: device };
	}

	test(
		"takes an image, tells how far it is, and restarts the device with it",
		async () => {
			const server = await configurationServer((_, response) => response.writeHead(200, { "content-length": IMAGE_BYTES }).end(image));
			const { session, peer, showing, log } = await connected();
			const done = showing("firmware", ({ complete }: { complete: boolean }) => complete);
			expect(await session.call("self.upgrade_firmware", { url: `http://127.0.0.1:${server.port}/firmware.bin` })).toBe(
				`Downloading ${IMAGE_BYTES} bytes, version 2.3.4. The device restarts when they are written.`,
			);
			expect(await done).toEqual({ written: IMAGE_BYTES, complete: true });
			const told = [];
			for (let last: { done?: boolean } = {}; !last.done; ) {
				const { method, params } = await session.notification();
				if (method !== "notifications/upgrade") continue;
				told.push(params);
				last = params;
			}
			expect(told).toEqual([...Array.from({ length: 10 }, (_, i) => ({ progress: (i + 1) * 10 })), { done: true }]);
			const again = await peer.session();
			await again.ask("tools/list", { withUserTools: true });
			expect(JSON.parse(await again.call("self.get_system_info"))).toMatchObject({
				ota: { label: "ota_1" },
				last_restarts: ["unknown", "self.upgrade_firmware"],
			});
			// The session that it has is its proof.
			expect(await log.logged(/^boot: the new firmware is kept$/)).toBeTruthy();
			await again.call("self.reboot");
			const last = await peer.session();
			await last.ask("tools/list", { withUserTools: true });
			expect(JSON.parse(await last.call("self.get_system_info")).ota).toEqual({ label: "ota_1" });
		},
		LONG_MS,
	);

	test(
		"leaves the running firmware when the download is cut, says so, and can begin again",
		async () => {
			let requests = 0;
			const server = await configurationServer((_, response) => {
				response.writeHead(200, { "content-length": IMAGE_BYTES });
				if (++requests === 1) response.write(image.subarray(0, 50_000), () => setTimeout(() => response.destroy(), 100));
				else response.end(image);
			});
			const { session, log, showing } = await connected();
			const url = `http://127.0.0.1:${server.port}/firmware.bin`;
			await session.call("self.upgrade_firmware", { url });
			expect(
				await log.logged(/^upgrade: the connection was lost, 50000 bytes before the end of the answer; the running firmware stays$/),
			).toBeTruthy();
			expect(await showing("firmware", () => true)).toEqual({ written: 50_000, complete: false });
			let told = await session.notification();
			while (!told.params?.error) told = await session.notification();
			expect(told.params.error).toBe("the connection was lost, 50000 bytes before the end of the answer");
			expect(await session.call("self.upgrade_firmware", { url })).toMatch(/^Downloading/);
		},
		LONG_MS,
	);

	const bad: [string, Answer, string][] = [
		[
			"a web page",
			(_, response) => response.writeHead(200, { "content-type": "text/html", "content-length": 5000 }).end("<".repeat(5000)),
			"The server sent a web page, not a firmware",
		],
		["404", (_, response) => response.writeHead(404).end(), "The server answered 404"],
		["no length", (_, response) => response.write(image, () => response.end()), "The server does not say how long the image is"],
		["too little", (_, response) => response.writeHead(200, { "content-length": 3 }).end("abc"), "3 bytes are no firmware"],
		[
			"too much",
			(_, response) => response.writeHead(200, { "content-length": 3_000_000 }).flushHeaders(),
			"The image has 3000000 bytes, there is room for 2097152",
		],
		[
			"no image",
			(_, response) => response.writeHead(200, { "content-length": 5000 }).end("x".repeat(5000)),
			"This is no firmware image: it does not begin with 0xE9",
		],
		[
			"a bootloader",
			(_, response) => response.writeHead(200, { "content-length": 5000 }).end(Buffer.concat([image.subarray(0, 20), Buffer.alloc(4980)])),
			"The image has no description: is it a bootloader or a merged file?",
		],
	];
	test.each(bad)("refuses %s in words before anything is written", async (_title, answer, problem) => {
		const server = await configurationServer(answer);
		const { session, shown } = await connected();
		await expect(session.call("self.upgrade_firmware", { url: `http://127.0.0.1:${server.port}/` })).rejects.toThrow(`-32000 ${problem}`);
		expect(shown.has("firmware")).toBe(false);
		expect(await session.call("self.audio_speaker.set_volume", { volume: 5 })).toBe("true");
	});

	test.each([
		["", "-32000 No newer firmware is known: give the url of an image"],
		["ftp://host/x.bin", "-32000 The web address must begin with http:// or https://"],
		["https://127.0.0.1:9/x.bin", "-32000 Could not connect to 127.0.0.1:9"],
		["http://127.0.0.1:9/x.bin", "-32000 Could not connect to 127.0.0.1:9"],
	])("refuses the address %p in words", async (url, problem) => {
		const { session } = await connected();
		await expect(session.call("self.upgrade_firmware", { url })).rejects.toThrow(problem);
	});
});
