// More of a device's life on the XS engine: TLS and brokers, servers that answer nonsense, activation, images that are none.

import { createHmac } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import type { Preferences } from "../../simulator/run-device.js";
import { ACCOUNT, startAedes } from "../support/brokers.js";
import { makeCertificate } from "../support/certificates.mjs";
import { type ConfigurationRequest, ConfigurationServer } from "../support/configuration-server.js";
import { FramedService } from "../support/framed-service.js";
import { MqttBackend } from "../support/mqtt-peer-client.js";
import {
	type Answer,
	backend,
	closing,
	configurationServer,
	connected,
	IMAGE_BYTES,
	image,
	json,
	LONG_MS,
	silentBackend,
	start,
	startSlowly,
	upgraded,
} from "./life.js";

describe("the configuration server", () => {
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
			const { log, showing } = await start({ ota_url: server.url, serial_number: "SN-1", hmac_key: "0a".repeat(32) });
			expect(await log.logged(/activation: enter the code 246810 \(Type in\)/)).toBeTruthy();
			expect(await showing("screen", ({ text }: { text?: string }) => text !== undefined)).toMatchObject({ text: "Type in 246810" });
			expect((await peer.connection()).request.headers.authorization).toBe("Bearer activated");
			expect(await showing("screen", ({ text }: { text?: string }) => text === undefined)).toBeTruthy();
			expect(server.requests.map(({ url }) => url)).toEqual(["/ota/", "/ota/activate", "/ota/activate", "/ota/"]);
			const [, { headers, body }] = server.requests as [ConfigurationRequest, ConfigurationRequest];
			const hmac = createHmac("sha256", Buffer.alloc(32, 10)).update("c").digest("hex");
			expect([headers["activation-version"], headers["serial-number"]]).toEqual(["2", "SN-1"]);
			expect(JSON.parse(body)).toEqual({ algorithm: "hmac-sha256", serial_number: "SN-1", challenge: "c", hmac });
		},
		LONG_MS,
	);
});

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

describe("a new firmware", () => {
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
});

describe("self.upgrade_firmware", () => {
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
