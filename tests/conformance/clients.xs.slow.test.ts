// The two major lines of the official TypeScript client drive the firmware on XS: raw over the endpoint, and in the envelope.

import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Firmware } from "../firmware/sessions.js";
import { createLauncher } from "../support/launch.js";
import { SocketTransport } from "../support/socket-transport.js";
import { TestBackend } from "../support/test-backend.js";
import { problemOf, type Revision } from "./message-schemas.js";

const INFO = { name: "official-client", version: "1.0.0" };

describe.each([
	["raw", false],
	["in the envelope", true],
] as const)("%s", (_title, enveloped) => {
	let backend: TestBackend;
	let firmware: Firmware;
	let transport: SocketTransport;

	beforeEach(async () => {
		backend = await TestBackend.listen();
		firmware = await createLauncher("xs").launch(enveloped ? backend.url : { endpoint: `${backend.url}?token=a.b-c%20d` });
		const connection = enveloped ? await backend.session() : await backend.connection();
		if (!enveloped) expect(connection.request.url).toBe("/xiaozhi/v1/?token=a.b-c%20d");
		transport = new SocketTransport(connection.socket, enveloped);
	});

	afterEach(async () => {
		await firmware.close();
		await backend.close();
	});

	// biome-ignore lint/suspicious/noExplicitAny: both libraries' clients have these methods
	async function drive(client: any, revision: Revision): Promise<void> {
		const names: string[] = [];
		let cursor: string | undefined;
		do {
			const page = await client.listTools(cursor === undefined ? {} : { cursor });
			names.push(...page.tools.map(({ name }: { name: string }) => name));
			cursor = page.nextCursor;
		} while (cursor !== undefined);
		const shown = (name: string) => (enveloped ? name : name.replaceAll(".", "_"));
		expect(names).toContain(shown("self.audio_speaker.set_volume"));
		expect(names).toContain(shown("test.deferred"));
		expect(names).not.toContain(shown("self.reboot"));
		expect((await client.callTool({ name: "self.audio_speaker.set_volume", arguments: { volume: 42 } })).isError).toBe(false);
		const { content } = await client.callTool({ name: "self.get_device_status", arguments: {} });
		expect(JSON.parse(content[0].text).audio_speaker.volume).toBe(42);
		expect((await client.callTool({ name: "test.structured", arguments: {} })).structuredContent).toEqual({ x: 5 });

		const bad = client.callTool({ name: "self.audio_speaker.set_volume", arguments: { volume: 101 } });
		const fails = client.callTool({ name: "test.refuses", arguments: {} });
		if (enveloped) {
			await expect(bad).rejects.toMatchObject({ code: -32602 });
			await expect(fails).rejects.toMatchObject({ code: -32000, message: expect.stringContaining("The arm is blocked") });
			await expect(client.callTool({ name: "test.nope", arguments: {} })).rejects.toMatchObject({ code: -32601 });
		} else {
			expect((await bad).isError).toBe(true);
			expect(await fails).toMatchObject({ isError: true, content: [{ text: "The arm is blocked" }] });
			await expect(client.callTool({ name: "test.nope", arguments: {} })).rejects.toMatchObject({ code: -32602 });
			await expect(client.callTool({ name: "self.reboot", arguments: {} })).rejects.toMatchObject({
				code: -32602,
				message: expect.stringContaining("Unknown tool: self.reboot"),
			});
		}

		const progress: number[] = [];
		expect((await client.callTool({ name: "test.steps", arguments: {} }, ...progressOptions(client, progress))).content[0].text).toBe("done");
		expect(progress).toEqual([1, 2, 3]);

		const stop = new AbortController();
		const call = client.callTool({ name: "test.wait", arguments: {} }, ...signalOptions(client, stop.signal));
		await firmware.logged(/test.wait began/);
		stop.abort("enough");
		await expect(call).rejects.toBeDefined();
		await firmware.logged(/test.wait was cancelled/);

		for (const message of transport.received) if (message.id === undefined) expect(problemOf(message, revision)).toBeUndefined();
	}

	const progressOptions = (client: unknown, progress: number[]): unknown[] => {
		const options = { onprogress: ({ progress: done }: { progress: number }) => progress.push(done) };
		return client instanceof ClientV1 ? [undefined, options] : [options];
	};
	const signalOptions = (client: unknown, signal: AbortSignal): unknown[] => (client instanceof ClientV1 ? [undefined, { signal }] : [{ signal }]);

	test("v1: lists, calls, is refused, hears progress, cancels", async () => {
		const client = new ClientV1(INFO);
		await client.connect(transport);
		expect(client.getServerVersion()).toMatchObject({ name: "simulator" });
		await client.ping();
		await drive(client, "2025-11-25");
	});

	test("v2, legacy: lists, calls, is refused, hears progress, cancels", async () => {
		const client = new ClientV2(INFO, { versionNegotiation: { mode: "legacy" } });
		await client.connect(transport);
		await drive(client, "2025-11-25");
	});

	test("v2, pinned to 2026-07-28: lists, calls, is refused, hears progress, cancels", async () => {
		const client = new ClientV2(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
		await client.connect(transport);
		expect(transport.received.some((message) => message.result?.supportedVersions)).toBe(true);
		await drive(client, "2026-07-28");
	});

	test("v2, left to negotiate: takes the modern era", async () => {
		const client = new ClientV2(INFO, { versionNegotiation: { mode: "auto" } });
		await client.connect(transport);
		expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
		expect((await client.callTool({ name: "test.echo", arguments: { text: "音" } })).content).toEqual([{ type: "text", text: "音" }]);
	});

	test("v1: hears that the list has changed", async () => {
		const client = new ClientV1(INFO);
		await client.connect(transport);
		const changed = new Promise<void>((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()));
		await client.callTool({ name: "test.grow", arguments: {} });
		await changed;
		const { tools } = await client.listTools();
		expect(tools.length).toBeGreaterThan(0);
	});
});
