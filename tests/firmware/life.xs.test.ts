// A device's life on the XS engine against real servers: settings, configuration, safe mode, upgrade.

import { describe, expect, test } from "@jest/globals";
import { ConfigurationServer } from "../support/configuration-server.js";
import { backend, configurationServer, connected, IMAGE_BYTES, image, json, LONG_MS, silentBackend, start, startSlowly, upgraded } from "./life.js";

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
});
