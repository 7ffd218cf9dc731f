// What the owner chooses by a setting reaches its place in the firmware, on the XS engine.

import { expect, test } from "@jest/globals";
import { backend, configurationServer, json, LONG_MS, startSlowly } from "./life.js";

test(
	"a language, a prefix on endpoints, and a session that is open on demand",
	async () => {
		const [main, shared] = [await backend(), await backend()];
		const settings = { language: "zh", session: "on_demand", endpoint_prefix: "kitchen" };
		const { device, log, meanwhile } = await startSlowly({ url: main.url, endpoint: shared.url, ...settings });
		const session = await meanwhile(main.session());
		await meanwhile(log.logged(/^session: ready/));
		expect((await meanwhile(session.ask("tools/call", { name: "nope" }))).error.message).toBe("设备没有这个功能");
		const endpoint = await meanwhile(shared.connection());
		endpoint.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
		const { tools } = (await meanwhile(endpoint.next())).result;
		expect(tools.every(({ name }: { name: string }) => name.startsWith("kitchen_"))).toBe(true);
		// A model takes the names that it was listed for timers, too.
		const timer = { seconds: 1, tool: "kitchen_lamp_turn_on" };
		endpoint.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "kitchen_timer_set", arguments: timer } });
		expect((await meanwhile(endpoint.next())).result).toMatchObject({ structuredContent: { id: 1, tool: "kitchen_lamp_turn_on" } });
		await meanwhile(log.logged(/^timer 1: due: kitchen_lamp_turn_on/));
		expect(log.lines.filter((line) => line.includes("Unknown tool"))).toEqual([]);

		await device.advance(121_000);
		await meanwhile(session.closed);
		expect(log.lines).toContain("session: nothing was said for 2 minutes; closed until it is needed");
		device.input("button", { pressed: true });
		await meanwhile(main.session());
	},
	LONG_MS,
);

test(
	"firmware by itself only where images are signed",
	async () => {
		const peer = await backend();
		const firmware = { version: "99.0.0", url: "https://127.0.0.1:9/firmware.bin" };
		const server = await configurationServer(json({ websocket: { url: peer.url }, firmware }));
		const { device, log, meanwhile } = await startSlowly({ ota_url: server.url, auto_upgrade: "on" });
		await meanwhile(log.logged(/^upgrade: version 99\.0\.0 is available/));
		await meanwhile(peer.session());
		await device.advance(1000);
		expect(log.lines.filter((line) => /by itself/.test(line))).toEqual([]);
	},
	LONG_MS,
);
