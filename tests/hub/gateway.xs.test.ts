// The gateway over Streamable HTTP: the official clients of both lines drive the firmware on XS, one board and several.

import { describe, expect, test } from "@jest/globals";
import type { Revision } from "../support/hub.js";
import { INITIALIZE_RESULT, text, tool } from "../support/tool-board.js";
import { BOARD, describeClient, LIMIT_MS, start, withOptions } from "./gateway-suite.js";

const OTHER = "02:00:00:00:00:02";
const REVISIONS: Revision[] = ["v1", "2025-11-25", "2026-07-28"];

// The older ones: gateway.xs.slow.test.ts.
describeClient("2026-07-28");

describe("progress", () => {
	test.each(REVISIONS)(
		"that comes in one piece with the result still comes first, to a client of %s",
		async (revision) => {
			const hub = await start();
			const endpoint = await hub.endpoint("one", {
				initialize: () => INITIALIZE_RESULT,
				"tools/list": () => ({ tools: [tool("self.x")] }),
				"tools/call": ({ _meta }) => {
					const { progressToken } = _meta as { progressToken: unknown };
					for (const progress of [1, 2, 3]) endpoint.send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress } });
					return text("done");
				},
			});
			const client = await hub.client(revision);
			await client.listTools();
			const progress: number[] = [];
			const onprogress = ({ progress: done }: { progress: number }) => progress.push(done);
			expect(await client.callTool({ name: "self_x", arguments: {} }, ...withOptions(revision, { onprogress }))).toMatchObject(text("done"));
			expect(progress).toEqual([1, 2, 3]);
		},
		LIMIT_MS,
	);
});

describe("several devices", () => {
	test(
		"have their names before the tools', and each call reaches its own",
		async () => {
			const hub = await start();
			const [one, other] = [await hub.board(BOARD), await hub.board(OTHER, "esp_hi")];
			const client = await hub.client("2026-07-28");
			const names = (await client.listTools()).tools.map(({ name }: { name: string }) => name);
			expect(names).toEqual(expect.arrayContaining(["simulator_self_audio_speaker_set_volume", "esp_hi_self_audio_speaker_set_volume"]));
			expect(new Set(names).size).toBe(names.length);
			expect(client.getInstructions()).toContain("simulator, esp_hi");
			await client.callTool({ name: "simulator_self.audio_speaker.set_volume", arguments: { volume: 11 } });
			await client.callTool({ name: "esp_hi_self_audio_speaker_set_volume", arguments: { volume: 22 } });
			const volumes = [];
			for (const { device } of [one, other]) {
				const [item] = (await device.callTool("self.get_device_status")).content;
				volumes.push(item?.type === "text" && JSON.parse(item.text).audio_speaker.volume);
			}
			expect(volumes).toEqual([11, 22]);
			await expect(client.callTool({ name: "self_audio_speaker_set_volume", arguments: { volume: 1 } })).rejects.toMatchObject({ code: -32602 });

			await other.running.close();
			expect(await client.callTool({ name: "esp_hi_self_get_device_status", arguments: {} })).toMatchObject({
				isError: true,
				content: [{ text: expect.stringMatching(/^esp_hi (is|has gone) away: /) }],
			});
			expect(await client.callTool({ name: "simulator_self_get_device_status", arguments: {} })).toMatchObject({ isError: false });
		},
		LIMIT_MS,
	);

	test(
		"of the same name have the end of their ids in it",
		async () => {
			const hub = await start();
			const answers = { initialize: () => INITIALIZE_RESULT, "tools/list": () => ({ tools: [tool("self.x")] }), "tools/call": () => text("one") };
			await hub.endpoint("left-0001", answers);
			await hub.endpoint("right-0002", { ...answers, "tools/call": () => text("two") });
			const client = await hub.client("v1");
			expect((await client.listTools()).tools.map(({ name }: { name: string }) => name)).toEqual(["scripted_0001_self_x", "scripted_0002_self_x"]);
			expect(await client.callTool({ name: "scripted_0002_self_x", arguments: {} })).toMatchObject(text("two"));
		},
		LIMIT_MS,
	);
});

describe("tools for people only", () => {
	test(
		"are offered and called where the owner wants it",
		async () => {
			const hub = await start({ userTools: true });
			await hub.board(BOARD);
			const client = await hub.client("2026-07-28");
			expect((await client.listTools()).tools.map(({ name }: { name: string }) => name)).toContain("self_get_system_info");
			expect(await client.callTool({ name: "self_get_system_info", arguments: {} })).toMatchObject({ isError: false });
		},
		LIMIT_MS,
	);
});

describe("resources", () => {
	const resources = [{ uri: "board://status", name: "status", mimeType: "application/json" }];
	const device = (value: string) => ({
		initialize: () => ({ ...INITIALIZE_RESULT, capabilities: { tools: {}, resources: { subscribe: true, listChanged: true } } }),
		"tools/list": () => ({ tools: [tool("self.x")] }),
		"tools/call": () => ({ content: [{ type: "resource_link", uri: "board://status", name: "status" }] }),
		"resources/list": () => ({ resources }),
		"resources/templates/list": () => {
			throw { code: -32601, message: "Method not found" };
		},
		"resources/read": ({ uri }: Record<string, unknown>) => {
			if (uri !== "board://status") throw { code: -32002, message: `Unknown resource: ${uri}` };
			return { contents: [{ uri, mimeType: "application/json", text: value }] };
		},
		"resources/subscribe": () => ({}),
	});

	test.each(REVISIONS)(
		"of a device are listed, read and watched by a client of %s",
		async (revision) => {
			const hub = await start();
			const endpoint = await hub.endpoint("one", device("1"));
			const client = await hub.client(revision);
			expect((await client.listResources()).resources).toEqual(resources);
			expect((await client.readResource({ uri: "board://status" })).contents[0]).toMatchObject({ uri: "board://status", text: "1" });
			await expect(client.readResource({ uri: "board://nothing" })).rejects.toMatchObject({ message: expect.stringContaining("Unknown resource") });
			const subscribed = endpoint.next("resources/subscribe");
			const updated = new Promise((resolve) => {
				client.fallbackNotificationHandler = async ({ params }: { params: { uri: string } }) => resolve(params.uri);
			});
			if (revision === "2026-07-28") await client.listen({ resourceSubscriptions: ["board://status"] });
			else await client.subscribeResource({ uri: "board://status" });
			expect(await subscribed).toMatchObject({ uri: "board://status" });
			endpoint.send({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "board://status" } });
			expect(await updated).toBe("board://status");
		},
		LIMIT_MS,
	);

	test.each<Revision>(["v1", "2026-07-28"])(
		"of the firmware: a client of %s sees a button pressed",
		async (revision) => {
			const hub = await start();
			const { running } = await hub.board(BOARD);
			const client = await hub.client(revision);
			const uris = (await client.listResources()).resources.map(({ uri }: { uri: string }) => uri);
			expect(uris).toEqual(expect.arrayContaining(["board://status", "board://lamp", "board://input"]));
			const updated = new Promise((resolve) => {
				client.fallbackNotificationHandler = async ({ params }: { params: { uri: string } }) => resolve(params.uri);
			});
			if (revision === "2026-07-28") await client.listen({ resourceSubscriptions: ["board://input"] });
			else await client.subscribeResource({ uri: "board://input" });
			// Once the subscription has reached the device.
			await client.readResource({ uri: "board://input" });
			running.input("button", { pressed: true });
			expect(await updated).toBe("board://input");
			const [item] = (await client.readResource({ uri: "board://input" })).contents;
			expect(JSON.parse(item.text)).toEqual({ button: { pressed: true, presses: 1 } });
		},
		LIMIT_MS,
	);

	test(
		"of several devices have the device in their scheme, in lists, results and links",
		async () => {
			const hub = await start();
			await hub.endpoint("a-0001", device("1"));
			await hub.endpoint("b-0002", device("2"));
			const client = await hub.client("2025-11-25");
			const uris = (await client.listResources()).resources.map(({ uri }: { uri: string }) => uri);
			expect(uris).toEqual(["scripted-0001+board://status", "scripted-0002+board://status"]);
			expect((await client.readResource({ uri: uris[1] })).contents).toMatchObject([{ uri: uris[1], text: "2" }]);
			expect((await client.callTool({ name: "scripted_0001_self_x", arguments: {} })).content).toMatchObject([{ uri: uris[0] }]);
			await expect(client.readResource({ uri: "board://status" })).rejects.toMatchObject({ message: expect.stringContaining("Unknown resource") });
		},
		LIMIT_MS,
	);
});
