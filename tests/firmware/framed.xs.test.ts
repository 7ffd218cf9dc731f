// The firmware against a framed service, on the XS engine: what seed 001 promises.

import { afterEach, describe, expect, test } from "@jest/globals";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { type FramedClient, FramedService, type FramedServiceOptions } from "../support/framed-service.js";
import { LogWatch } from "../support/launch.js";

const LIMIT_MS = 30_000;
let device: RunningDevice | undefined;
let service: FramedService | undefined;
let log = new LogWatch();

async function connect(options: FramedServiceOptions = {}, config: Record<string, unknown> = {}): Promise<FramedClient> {
	log = new LogWatch();
	service = await FramedService.listen({ token: "eyJ.x.y", ...options });
	device = await runDevice({
		board: "simulator",
		entry: "tests/firmware/links-entry.ts",
		config: { framed_address: service.address, framed_token: "eyJ.x.y", framed_voice_id: "7", framed_language: "zh", ...config },
		onLog: (line) => log.add(line),
	});
	return service.client();
}

afterEach(async () => {
	await device?.close();
	await service?.close();
	device = service = undefined;
	expect(log.lines.filter((line) => /abort|unhandled/i.test(line))).toEqual([]);
});

describe("the firmware and a framed service", () => {
	test(
		"authorises itself, then registers its tools as services with their schemas",
		async () => {
			const client = await connect();
			const auth = await client.frame(({ kind }) => kind === 1);
			expect(auth).toEqual({ kind: 1, task: "00000000", sequence: "0000", body: "eyJ.x.y##voiceid:7##lang:zh##format:pcm" });
			const services = await client.registered();
			expect(client.frames.map(({ kind, task, sequence }) => [kind, task, sequence])[1]).toEqual([6, "mcp00001", "0000"]);
			expect(services.get_current_time).toEqual({
				description: "获取当前时间信息,包括日期和时间",
				parameters: {
					type: "object",
					properties: { format: { type: "string", description: "时间格式,simple为简单格式,detailed为详细格式", enum: ["simple", "detailed"] } },
					required: [],
				},
			});
			expect(services.create_file?.parameters.required).toEqual(["filename", "content"]);
			expect(services.create_file?.parameters.properties.filename).toEqual({ type: "string", description: "文件名", minLength: 1, maxLength: 64 });
			expect(services["self.audio_speaker.set_volume"]?.parameters.properties.volume).toMatchObject({ type: "integer", minimum: 0, maximum: 100 });
			expect(services["test.echo"]?.description).toBe("Returns its argument; ##END is a word in it");
			expect(Object.keys(services)).not.toContain("test.hidden");
			expect(Object.keys(services)).not.toContain("self.reboot");
			expect(await log.logged(/framed: ready/)).toBeTruthy();
			expect(log.lines.join("\n")).not.toContain("eyJ.x.y");
		},
		LIMIT_MS,
	);

	test(
		"answers the seed's examples, and every kind of value and argument",
		async () => {
			const client = await connect({ brackets: true });
			await client.registered();
			expect(await client.call("get_current_time", { format: "simple" })).toEqual({ success: true, data: "2025-01-22 14:30:25" });
			expect(await client.call("get_current_time")).toEqual({ success: true, data: "2025-01-22 14:30:25" });
			expect(await client.call("create_file", { filename: "笔记.txt", content: "你好" })).toEqual({
				success: true,
				data: { filename: "笔记.txt", bytes: 2 },
			});
			expect(await client.call("self.audio_speaker.set_volume", { volume: 31 }, 7)).toEqual({ success: true, data: true });
			expect(await client.call("test.every_kind", { count: 3, names: ["a"], point: { x: 1, y: 2 } })).toEqual({
				success: true,
				data: { count: 3, ratio: 0.5, names: ["a"], point: { x: 1, y: 2 } },
			});
			expect(await client.call("test.nothing", null)).toEqual({ success: true, data: true });
			expect(await client.call("test.no", {})).toEqual({ success: true, data: false });
			expect(await client.call("test.later", { text: "later" })).toEqual({ success: true, data: "later" });
			expect(await client.call("test.image")).toMatchObject({ success: true, data: [{ type: "text" }, { type: "image", mimeType: "image/png" }] });
		},
		LIMIT_MS,
	);

	test(
		"says in one sentence why a call fails",
		async () => {
			const client = await connect();
			await client.registered();
			const cases: [string, unknown, string][] = [
				["nope", {}, "Unknown tool: nope"],
				["test.hidden", {}, "Unknown tool: test.hidden"],
				["get_current_time", { format: "iso" }, 'Argument format must be one of "simple", "detailed", got the text "iso"'],
				["create_file", { filename: "a" }, "Argument content is missing: expected a text"],
				["create_file", { filename: "", content: "" }, 'Argument filename must be a text of 1 to 64 characters, got the text ""'],
				["test.every_kind", { count: 10 }, "Argument count must be an integer from 1 to 9, got 10"],
				["test.every_kind", [], "arguments must be an object, got an array of 0"],
				["test.refuses", {}, "The arm is blocked"],
				["test.throws", {}, "test.throws failed: boom"],
				["test.large", { length: 9000 }, "The result of test.large is too large: about 9002 bytes, at most 8192 can be sent"],
			];
			for (const [method, params, error] of cases) expect(await client.call(method, params)).toEqual({ success: false, error });
			expect(await client.call("test.large", { length: 7000 })).toMatchObject({ success: true });
		},
		LIMIT_MS,
	);

	test(
		"keeps ##END inside texts apart from the end of a frame, both ways",
		async () => {
			const client = await connect();
			await client.registered();
			for (const text of ["##END", "a##END##STARTb", "###END#", "##EN", "#", '"##END\\']) {
				expect(await client.call("test.echo", { text })).toEqual({ success: true, data: text });
			}
		},
		LIMIT_MS,
	);

	test(
		"takes frames split at every byte, and joined",
		async () => {
			const split = await connect({ step: 1, brackets: true });
			await split.registered();
			expect(await split.call("test.echo", { text: "音##END灯" })).toEqual({ success: true, data: "音##END灯" });
			await device?.close();
			await service?.close();

			const joined = await connect();
			await joined.registered();
			const call = (id: number) =>
				joined.encode(6, "mcp00001", JSON.stringify({ type: "call", data: { call_id: id, method: "test.echo", params: { text: `${id}` } } }));
			joined.write(Buffer.concat(Array.from({ length: 50 }, (_, i) => call(i))));
			for (let i = 0; i < 50; i++) {
				const { body } = await joined.frame(({ kind }) => kind === 6);
				expect(JSON.parse(body)).toEqual({ type: "result", data: { call_id: i, result: { success: true, data: `${i}` } } });
			}
		},
		LIMIT_MS,
	);

	test(
		"is not impressed by what it does not know",
		async () => {
			const client = await connect();
			await client.registered();
			const strays: [number, string, string][] = [
				[2, "task1234", "\u0000\u0001 voice"],
				[3, "task1234", ""],
				[4, "task1234", "现在几点了?"],
				[5, "00000000", "##INFO:HELLO"],
				[6, "mcp00001", "not JSON"],
				[6, "mcp00001", "[".repeat(5000)],
				[6, "mcp00001", JSON.stringify({ type: "register", data: { services: {} } })],
				[6, "mcp00001", JSON.stringify({ type: "call" })],
				[6, "mcp00001", JSON.stringify({ type: "call", data: { method: "test.echo" } })],
				[6, "mcp00001", JSON.stringify({ type: "call", data: { call_id: {}, method: "test.echo" } })],
				[6, "mcp00001", `"${"x".repeat(20_000)}"`],
				[9, "mcp00001", "{}"],
			];
			for (const [kind, task, body] of strays) client.send(kind, task, body);
			client.write(Buffer.from("##START\u0006##END##START##END noise"));
			expect(await client.call("test.echo", { text: "alive" })).toEqual({ success: true, data: "alive" });
			expect(await client.call({} as unknown as string)).toEqual({ success: false, error: "name must be a text, got an object" });
		},
		LIMIT_MS,
	);

	test(
		"registers again when its list changes",
		async () => {
			const client = await connect();
			expect(Object.keys(await client.registered())).not.toContain("test.added");
			await client.call("test.add_tool");
			expect(Object.keys(await client.registered())).toContain("test.added");
			expect(await client.call("test.added")).toEqual({ success: true, data: "I am new" });
		},
		LIMIT_MS,
	);

	test(
		"answers pings, and says goodbye when it ends",
		async () => {
			const client = await connect();
			await client.registered();
			client.send(5, "00000000", "##PING");
			expect(await client.frame(({ body }) => body === "##INFO:PONG")).toMatchObject({ kind: 5 });
			await device?.close();
			await client.closed;
			expect(client.frames.at(-1)).toMatchObject({ kind: 5, body: "##DISCONNECT" });
		},
		LIMIT_MS,
	);

	test(
		"connects again after a disconnect",
		async () => {
			const client = await connect();
			await client.registered();
			client.send(5, "00000000", "##DISCONNECT");
			await client.closed;
			expect(await log.logged(/framed: the service ended the session; connecting again/)).toBeTruthy();
			const again = (await service?.client()) as FramedClient;
			await again.registered();
			expect(await again.call("test.echo", { text: "again" })).toMatchObject({ success: true });
		},
		LIMIT_MS,
	);

	test(
		"says in words that its token is refused, and tries again",
		async () => {
			const client = await connect({}, { framed_token: "wrong" });
			await client.closed;
			expect(await log.logged(/framed: the service refused: "##ERROR:token 无效"; is the token right\?; connecting again/)).toBeTruthy();
			expect(await service?.client()).toBeTruthy();
			expect(client.services).toEqual({});
		},
		LIMIT_MS,
	);

	test(
		"gives up on a service that does not answer the authorisation within 5 s",
		async () => {
			const client = await connect({ mute: true });
			await client.closed;
			expect(await log.logged(/no answer to the authorisation within 5 s/)).toBeTruthy();
		},
		LIMIT_MS,
	);
});
