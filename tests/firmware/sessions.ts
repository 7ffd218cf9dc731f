// What the firmware promises to any backend of the xiaozhi family, whatever machine it runs on.

import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type BackendConnection, TestBackend } from "../support/test-backend.js";

/** A firmware that runs somewhere. */
export interface Firmware {
	/** Its log so far. */
	readonly log: readonly string[];
	/** Settles when a line of the log matches, also one of the past. */
	logged(pattern: RegExp): Promise<string>;
	/** Ends it. */
	close(): Promise<void>;
}

export interface Launcher {
	/** The port that the backend has to listen on, where the firmware's URL is fixed; any port otherwise. */
	readonly port?: number;
	/** Starts the firmware of tests/firmware/entry.ts on the simulated board: with this URL, or with these settings. */
	launch(url: string | { readonly [key: string]: unknown }): Promise<Firmware>;
}

/** What connects again waits for seconds, in real time on some machines. */
const RECONNECTING_MS = 60_000;
const MEBIBYTE = 1 << 20;

/** The suite; `launcher` says on which machine. */
export function describeSessions(machine: string, launcher: Launcher): void {
	describe(`the firmware on ${machine}`, () => {
		let backend: TestBackend;
		let firmware: Firmware;
		let device: BackendConnection;
		// biome-ignore lint/suspicious/noExplicitAny: a message is looked into freely
		let hello: any;

		beforeAll(async () => {
			// As strict as xiaozhi-esp32-server: an upgrade with any other Connection header is refused.
			backend = await TestBackend.listen({
				...(launcher.port ? { port: launcher.port } : {}),
				verify: ({ headers }) => (headers.connection === "Upgrade" ? 101 : 400),
			});
			firmware = await launcher.launch(backend.url);
			device = await backend.connection();
			hello = await device.next();
		});

		afterAll(async () => {
			await firmware?.close();
			await backend?.close();
		});

		/** The next good call still works. */
		const alive = async () => expect(await device.call("test.echo", { text: "alive 音" })).toBe("alive 音");

		test("gets through an upgrade that wants exactly `Connection: Upgrade`, with its four headers", () => {
			const { headers } = device.request;
			expect(headers.connection).toBe("Upgrade");
			expect(headers.authorization).toBe("Bearer test-token");
			expect(headers["protocol-version"]).toBe("1");
			expect(headers["device-id"]).toBe("02:00:00:00:00:01");
			expect(headers["client-id"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
			expect(device.request.url).toBe("/xiaozhi/v1/");
		});

		test("says hello with features.mcp", () => {
			expect(hello).toEqual({
				type: "hello",
				version: 1,
				features: { mcp: true },
				transport: "websocket",
				audio_params: { format: "opus", sample_rate: 16000, channels: 1, frame_duration: 60 },
			});
		});

		test("answers initialize before the server's hello", async () => {
			const reply = await device.ask("initialize", { protocolVersion: "2024-11-05", capabilities: {} });
			expect(reply.result).toMatchObject({ protocolVersion: "2024-11-05", serverInfo: { name: "simulator" } });
			device.send({ type: "hello", transport: "websocket", session_id: "session-1" });
			device.sendRequest("ping", undefined, 7);
			expect(await device.next()).toEqual({ session_id: "session-1", type: "mcp", payload: { jsonrpc: "2.0", id: 7, result: {} } });
		});

		test("lists every tool in pages of at most 8192 bytes, each cursor once", async () => {
			const names: string[] = [];
			const cursors: string[] = [];
			for (let cursor = ""; ; ) {
				const { result } = await device.ask("tools/list", { cursor });
				expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(8000);
				for (const tool of result.tools) {
					names.push(tool.name);
					expect(typeof tool.description).toBe("string");
					expect(tool.inputSchema).toMatchObject({ type: "object", properties: expect.any(Object), required: expect.any(Array) });
				}
				if (!("nextCursor" in result)) break;
				cursor = result.nextCursor;
				expect(cursors).not.toContain(cursor);
				cursors.push(cursor);
			}
			expect(names[0]).toBe("self.get_device_status");
			for (const name of ["self.audio_speaker.set_volume", "self.screen.set_theme", "self.light.set_rgb", "self.servo.set_angle", "test.echo"])
				expect(names).toContain(name);
			expect(names).not.toContain("self.reboot");
			expect(new Set(names).size).toBe(names.length);
		});

		test("moves the board by a call, and only by a valid one", async () => {
			const volume = async () => JSON.parse(await device.call("self.get_device_status")).audio_speaker.volume;
			expect(await device.call("self.audio_speaker.set_volume", { volume: 33 })).toBe("true");
			expect(await volume()).toBe(33);
			await expect(device.call("self.audio_speaker.set_volume", { volume: 101 })).rejects.toThrow(
				"-32602 Argument volume must be an integer from 0 to 100, got 101",
			);
			await expect(device.call("self.audio_speaker.set_volume", { volume: "loud" })).rejects.toThrow(
				'-32602 Argument volume must be an integer from 0 to 100, got the string "loud"',
			);
			await expect(device.call("self.audio_speaker.set_volume")).rejects.toThrow("-32602 Argument volume is missing");
			expect(await volume()).toBe(33);
			expect(await device.call("self.audio_speaker.set_volume", { volume: 44.0 })).toBe("true");
			expect(await volume()).toBe(44);
		});

		test("echoes every kind of id with its type, also reused ones, pipelined", async () => {
			const ids = [1, 1, "1", "6ba7b810-9dad-11d1-80b4-00c04fd430c8_n_3", 0, -7, "音", 2147483648, "1"];
			for (const id of ids) device.sendRequest("ping", undefined, id);
			const echoed = [];
			for (const _ of ids) echoed.push((await device.reply()).id);
			expect(echoed).toEqual(ids);
		});

		test("takes initialize again, and null where members are missing", async () => {
			device.send({
				type: "mcp",
				session_id: "session-1",
				payload: { jsonrpc: "2.0", id: 1, method: "initialize", params: null, result: null, error: null },
			});
			device.send({
				type: "mcp",
				sessionId: "session-1",
				payload: { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "test.flash", arguments: null } },
			});
			expect((await device.reply()).result.protocolVersion).toBe("2024-11-05");
			expect((await device.reply()).result.content[0].text).toBe('{"deep":[1,{"two":"zwei"}]}');
		});

		test("follows the session id that the server uses", async () => {
			device.sendRequest("ping", undefined, 1, { session_id: "session-2" });
			expect((await device.next()).session_id).toBe("session-2");
			device.sendRequest("ping", undefined, 2);
			expect((await device.next()).session_id).toBe("session-2");
		});

		test("answers a WebSocket ping", async () => {
			const pong = new Promise<Buffer>((resolve) => device.socket.once("pong", resolve));
			device.socket.ping("are you there");
			expect((await pong).toString()).toBe("are you there");
			await alive();
		});

		describe("is not impressed by", () => {
			const strays: [string, unknown][] = [
				["text that is not JSON", "认证失败"],
				["half of a JSON text", '{"type":"mcp","payload":{'],
				["an empty message", ""],
				["half a UTF-8 character", Buffer.from([0x22, 0xe9, 0x9f])],
				["bytes that are not UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
				["a zero byte", Buffer.from('{"type":"mcp",\0}')],
				["a message of 1 MB without an id", `{"type":"mcp","payload":{"jsonrpc":"2.0","method":"ping","params":{"x":"${"x".repeat(MEBIBYTE)}"}}}`],
				["arrays nested 10,000 deep", `${"[".repeat(8000)}${"]".repeat(8000)}`],
				["objects nested 10,000 deep", '{"a":'.repeat(3000)],
				["messages of other types", { type: "tts", state: "start" }],
				["a message without type", { payload: { jsonrpc: "2.0", id: 1, method: "ping" } }],
				["no object", [1, 2, 3]],
				["a payload that is none", { type: "mcp", payload: "ping" }],
				["a batch", { type: "mcp", payload: [{ jsonrpc: "2.0", id: 1, method: "ping" }] }],
				["a response to nothing", { type: "mcp", payload: { jsonrpc: "2.0", id: 1, result: {} } }],
				["notifications", { type: "mcp", payload: { jsonrpc: "2.0", method: "notifications/initialized" } }],
				[
					"a notification of a call",
					{
						type: "mcp",
						payload: { jsonrpc: "2.0", method: "tools/call", params: { name: "self.audio_speaker.set_volume", arguments: { volume: 1 } } },
					},
				],
				["an id of null", { type: "mcp", payload: { jsonrpc: "2.0", id: null, method: "ping" } }],
				["an id that is an object", { type: "mcp", payload: { jsonrpc: "2.0", id: {}, method: "ping" } }],
				["a second hello", { type: "hello", session_id: "session-2" }],
				["an unknown system command", { type: "system", command: "dance" }],
			];
			test.each(strays)("%s: no reply, and the next call works", async (_title, stray) => {
				const before = device.received;
				device.send(stray);
				await alive();
				expect(device.received).toBe(before + 1);
			});

			const ping = (params: string) => `{"type":"mcp","payload":{"jsonrpc":"2.0","id":"p","method":"ping","params":${params}}}`;
			const tooMuch: [string, string, string][] = [
				["1 MB", ping(`{"x":"${"x".repeat(MEBIBYTE)}"}`), "over 4096 bytes"],
				["a text of 2,049 bytes", ping(`{"unknown":"${"x".repeat(2049)}"}`), "with a string over 2048 bytes"],
				["a flat array", ping(`{"x":[${"1,".repeat(300)}1]}`), "with more than 256 values"],
				["many members", ping(`{${'"x":1,'.repeat(150)}"x":1}`), "with more than 128 members"],
				["arrays in arrays", ping(`{"x":${"[".repeat(100)}${"]".repeat(100)}}`), "nested deeper than 32"],
			];
			test.each(tooMuch)("a request with %s: refused unread, with the limit in words, and the next call works", async (_title, request, problem) => {
				device.send(request);
				expect(await device.reply()).toEqual({ jsonrpc: "2.0", id: "p", error: { code: -32600, message: `Refused: a message ${problem}` } });
				await alive();
			});

			test("a binary frame, also in pieces: no reply, and the next call works", async () => {
				const before = device.received;
				device.socket.send(Buffer.alloc(3000, 7), { binary: true });
				device.socket.send(Buffer.alloc(10, 7), { binary: true, fin: false });
				device.socket.send(Buffer.alloc(10, 7), { binary: true, fin: true });
				await alive();
				expect(device.received).toBe(before + 1);
			});

			test("a message in many fragments, cut inside a character", async () => {
				const bytes = Buffer.from(
					JSON.stringify({
						type: "mcp",
						payload: { jsonrpc: "2.0", id: 5, method: "tools/call", params: { name: "test.echo", arguments: { text: "音量😀" } } },
					}),
				);
				for (let i = 0; i < bytes.length; i++) device.socket.send(bytes.subarray(i, i + 1), { binary: false, fin: i === bytes.length - 1 });
				expect((await device.reply()).result.content[0].text).toBe("音量😀");
			});

			const answered: [string, unknown, object][] = [
				["a wrong jsonrpc", { jsonrpc: "1.0", id: 1, method: "ping" }, { code: -32600, message: 'jsonrpc must be "2.0", got the string "1.0"' }],
				["no method", { jsonrpc: "2.0", id: 1 }, { code: -32600, message: "method must be a string, got nothing" }],
				[
					"params of the wrong kind",
					{ jsonrpc: "2.0", id: 1, method: "tools/list", params: [] },
					{ code: -32602, message: "params must be an object, got an array of 0" },
				],
				["an unknown method", { jsonrpc: "2.0", id: 1, method: "prompts/list" }, { code: -32601, message: "Method not found: prompts/list" }],
				[
					"an unknown tool",
					{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "self.nope" } },
					{ code: -32601, message: "Unknown tool: self.nope" },
				],
				[
					"the name of an object's own method",
					{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "constructor" } },
					{ code: -32601, message: "Unknown tool: constructor" },
				],
				[
					"an unknown cursor",
					{ jsonrpc: "2.0", id: 1, method: "tools/list", params: { cursor: "nope" } },
					{ code: -32602, message: "Unknown cursor: nope" },
				],
				[
					"arguments of the wrong kind",
					{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "test.echo", arguments: [] } },
					{ code: -32602, message: "arguments must be an object, got an array of 0" },
				],
				[
					"a prototype in the arguments",
					{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "test.echo", arguments: JSON.parse('{"__proto__":{"text":"x"}}') } },
					{ code: -32602, message: "Argument text is missing: expected a string" },
				],
			];
			test.each(answered)("%s: an error that says what came, and the next call works", async (_title, payload, error) => {
				device.send({ type: "mcp", payload });
				expect((await device.reply()).error).toEqual(error);
				await alive();
			});

			test.each([
				["throws", "-32603 test.throws failed: boom"],
				["refuses", "-32000 The arm is blocked"],
				["throws_odd", "-32603 test.throws_odd failed: undefined"],
				["rejects", "-32603 test.rejects failed: no bus"],
				["rejects_later", "-32603 test.rejects_later failed: no bus"],
				["never", "-32000 test.never gave no result within 1 seconds"],
				["loop", "-32603 test.loop failed: the result is nested too deep, or contains itself"],
				["odd_then", "-32603 test.odd_then failed: no then"],
			])("a tool that %s: one error, and the next call works", async (name, message) => {
				const before = device.received;
				await expect(device.call(`test.${name}`)).rejects.toThrow(message);
				await alive();
				expect(device.received).toBe(before + 2);
			});

			test("a result too large for a message", async () => {
				await expect(device.call("test.large", { length: 9000 })).rejects.toThrow("-32000 The result of test.large is too large");
				expect(await device.call("test.large", { length: 7000 })).toHaveLength(7000);
			});

			test("100 calls at once", async () => {
				for (let i = 0; i < 100; i++) device.sendRequest("tools/call", { name: "test.echo", arguments: { text: `${i}` } }, i);
				for (let i = 0; i < 100; i++) expect(await device.reply()).toMatchObject({ id: i, result: { content: [{ text: `${i}` }] } });
			});

			test("100 calls at once that take their time: each gets its result, or is told that the device is busy", async () => {
				for (let i = 0; i < 100; i++) device.sendRequest("tools/call", { name: "test.deferred", arguments: { text: `${i}` } }, i);
				const seen = new Set<number>();
				for (let i = 0; i < 100; i++) {
					const { id, result, error } = await device.reply();
					expect(result ? result.content[0].text : error.message).toBe(result ? `${id}` : "Busy: 4 calls of this connection are running, try again");
					seen.add(id);
				}
				expect(seen.size).toBe(100);
			});

			test("100 lists at once from a peer that does not read for a while", async () => {
				device.socket.pause();
				for (let i = 0; i < 100; i++) device.sendRequest("tools/list", {}, i);
				device.socket.resume();
				for (let i = 0; i < 100; i++) expect((await device.reply()).id).toBe(i);
				await alive();
			});
		});

		test("tells the backend what it is doing", async () => {
			expect(await device.notification()).toEqual({
				jsonrpc: "2.0",
				method: "notifications/state_changed",
				params: { newState: "idle", oldState: "connecting" },
			});
		});

		test(
			"has a user-only tool that answers, restarts the machine, and keeps what a user expects to stay",
			async () => {
				await device.call("self.audio_speaker.set_volume", { volume: 61 });
				await device.call("self.screen.set_theme", { theme: "dark" });
				expect(await device.call("self.reboot")).toBe("true");
				const client = device.request.headers["client-id"];
				device = await backend.session("after-reboot");
				expect(device.request.headers["client-id"]).toBe(client);
				const status = JSON.parse(await device.call("self.get_device_status"));
				expect(status.audio_speaker.volume).toBe(61);
				expect(status.screen.theme).toBe("dark");
			},
			RECONNECTING_MS,
		);

		test(
			"restarts when the server says system reboot",
			async () => {
				device.send({ type: "system", command: "reboot" });
				await device.closed;
				device = await backend.session();
				await alive();
			},
			RECONNECTING_MS,
		);

		test(
			"connects again after the server closes, and after a connection that breaks",
			async () => {
				device.socket.close(1001, "restarting");
				device = await backend.session("again");
				await alive();
				expect(firmware.log.join("\n")).toContain("1001");
				device.socket.terminate();
				device = await backend.session("and again");
				await alive();
			},
			RECONNECTING_MS,
		);

		test(
			"after a refusal in words says so and connects again",
			async () => {
				device.socket.terminate();
				device = await backend.connection();
				await device.next();
				device.send("Authentication failed");
				device.socket.close(1000);
				expect(await firmware.logged(/Authentication failed.*is the token right/)).toBeTruthy();
				device = await backend.session();
				await alive();
			},
			RECONNECTING_MS,
		);

		test(
			"gives up on a server that says no hello within 10 s, and connects again",
			async () => {
				device.socket.terminate();
				device = await backend.connection();
				await device.next();
				expect(await device.closed).toBe(1000);
				expect(await firmware.logged(/no hello within 10 s/)).toBeTruthy();
				device = await backend.session();
				await alive();
			},
			RECONNECTING_MS,
		);

		test("has thrown nothing that nobody caught", () => {
			expect(firmware.log.filter((line) => /abort|unhandled|not within a callback/i.test(line))).toEqual([]);
		});
	});
}
