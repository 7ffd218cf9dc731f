// The gateway over Streamable HTTP: an official client drives the firmware on XS.

import { afterEach, describe, expect, test } from "@jest/globals";
import { type Revision, TestHub } from "../support/hub.js";

export const LIMIT_MS = 40_000;
export const BOARD = "02:00:00:00:00:01";

let hub: TestHub | undefined;

afterEach(async () => {
	await hub?.close();
	hub = undefined;
}, LIMIT_MS);

/** A hub that is closed after the test. */
export async function start(options: Parameters<typeof TestHub.start>[0] = {}): Promise<TestHub> {
	hub = await TestHub.start(options);
	return hub;
}

/** The v1 client takes a schema before the options. */
export const withOptions = (revision: Revision, options: object): unknown[] => (revision === "v1" ? [undefined, options] : [options]);

/** What a client of that revision may expect of a board behind the gateway. */
export function describeClient(revision: Revision): void {
	describe(`a client of ${revision}`, () => {
		test(
			"lists all pages under names that models accept, calls by either name, hears progress, cancels",
			async () => {
				const hub = await start({ token: "s3cret" });
				const { log } = await hub.board(BOARD);
				const client = await hub.client(revision);
				const { tools } = await client.listTools();
				const names = tools.map(({ name }: { name: string }) => name);
				expect(names).toEqual(expect.arrayContaining(["self_get_device_status", "self_audio_speaker_set_volume", "test_wait"]));
				expect(names).not.toContain("self_reboot");
				for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);

				expect(await client.callTool({ name: "self_audio_speaker_set_volume", arguments: { volume: 42 } })).toMatchObject({ isError: false });
				const { content } = await client.callTool({ name: "self.get_device_status", arguments: {} });
				expect(JSON.parse(content[0].text).audio_speaker.volume).toBe(42);
				expect((await client.callTool({ name: "test_structured", arguments: {} })).structuredContent).toEqual({ x: 5 });
				expect(await client.callTool({ name: "self_audio_speaker_set_volume", arguments: { volume: 101 } })).toMatchObject({
					isError: true,
					content: [{ type: "text", text: expect.stringContaining("volume must be an integer from 0 to 100") }],
				});
				// The envelope ignores them.
				expect(await client.callTool({ name: "self_audio_speaker_set_volume", arguments: { volume: 10, loud: true } })).toMatchObject({
					isError: true,
					content: [{ text: "Argument loud is not declared; the tool takes volume" }],
				});
				expect(await client.callTool({ name: "test_refuses", arguments: {} })).toMatchObject({
					isError: true,
					content: [{ text: "The arm is blocked" }],
				});
				await expect(client.callTool({ name: "test_nope", arguments: {} })).rejects.toMatchObject({ code: -32602 });
				await expect(client.callTool({ name: "self_reboot", arguments: {} })).rejects.toMatchObject({ code: -32602 });

				const progress: number[] = [];
				const onprogress = ({ progress: done }: { progress: number }) => progress.push(done);
				const done = await client.callTool({ name: "test_steps", arguments: {} }, ...withOptions(revision, { onprogress }));
				expect(done.content[0].text).toBe("done");
				expect(progress).toEqual([1, 2, 3]);

				const stop = new AbortController();
				const call = client.callTool({ name: "test_wait", arguments: {} }, ...withOptions(revision, { signal: stop.signal }));
				await log.logged(/test.wait began/);
				stop.abort("enough");
				await expect(call).rejects.toBeDefined();
				await log.logged(/test.wait was cancelled/);
				expect(hub.problems).toEqual([]);
			},
			LIMIT_MS,
		);

		test(
			"hears that the tools have changed, and sees the new one",
			async () => {
				const hub = await start();
				await hub.board(BOARD);
				let changed = () => {};
				const change = new Promise<void>((resolve) => {
					changed = resolve;
				});
				const client = await hub.client(revision, { listChanged: () => changed() });
				const before = (await client.listTools()).tools.length;
				await client.callTool({ name: "test_grow", arguments: {} });
				await change;
				expect((await client.listTools(undefined, { cacheMode: "refresh" })).tools.length).toBe(before + 1);
			},
			LIMIT_MS,
		);

		test(
			"is told at once when the device has gone, in the middle of a call and afterwards, and goes on when it is back",
			async () => {
				const hub = await start();
				const { running, log } = await hub.board(BOARD);
				const client = await hub.client(revision);
				const call = client.callTool({ name: "test_wait", arguments: {} });
				await log.logged(/test.wait began/);
				const ended = hub.next("onEnded");
				await running.close();
				expect(await call).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^simulator has gone away: /) }] });
				await ended;
				expect((await client.listTools()).tools.length).toBeGreaterThan(10);
				expect(await client.callTool({ name: "self_get_device_status", arguments: {} })).toMatchObject({
					isError: true,
					content: [{ text: expect.stringMatching(/^simulator is away: /) }],
				});
				await hub.board(BOARD);
				expect(await client.callTool({ name: "self_get_device_status", arguments: {} })).toMatchObject({ isError: false });
			},
			LIMIT_MS,
		);
	});
}
