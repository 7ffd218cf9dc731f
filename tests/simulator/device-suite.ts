// The simulated machine: its modules against real sockets, its clock, its failures and its ends.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import net from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { type WebSocket, WebSocketServer } from "ws";
import { type RunDeviceOptions, type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { freeUdpPort, UdpPeer } from "../support/udp-peer.js";

/** Firmware that has the modules of hardware at `globalThis.m`. */
export const MODULES = "tests/simulator/fixtures/modules.ts";
const ECHO = "tests/simulator/fixtures/echo.ts";

/** What is done after each test, the last first. */
export const ends: (() => unknown)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

/** Lines that can be waited for. */
class Log {
	readonly lines: string[] = [];
	#waiting: (() => void)[] = [];

	add(line: string): void {
		this.lines.push(line);
		for (const check of this.#waiting) check();
	}

	find(pattern: RegExp): Promise<string> {
		return new Promise((resolve) => {
			const check = () => {
				const line = this.lines.find((line) => pattern.test(line));
				if (line !== undefined) resolve(line);
			};
			this.#waiting.push(check);
			check();
		});
	}
}

async function webSocketServer(): Promise<{ server: WebSocketServer; port: number }> {
	const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
	ends.push(() => {
		for (const client of server.clients) client.terminate();
		server.close();
	});
	await once(server, "listening");
	return { server, port: (server.address() as AddressInfo).port };
}

async function tcpServer(onConnection: (socket: net.Socket) => void): Promise<number> {
	const sockets = new Set<net.Socket>();
	const server = net.createServer((socket) => {
		sockets.add(socket.on("error", () => undefined));
		onConnection(socket);
	});
	ends.push(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	return (server.address() as AddressInfo).port;
}

/** What a simulated machine promises on either engine. */
export function describeDevice(engine: "xs" | "node"): void {
	async function run(options: Partial<RunDeviceOptions> = {}): Promise<RunningDevice & { log: Log }> {
		const log = new Log();
		const device = await runDevice({ board: "simulator", entry: MODULES, config: {}, engine, onLog: (line) => log.add(line), ...options });
		ends.push(() => device.close());
		return Object.assign(device, { log });
	}

	test("says which engine it runs on", async () => {
		const device = await run();
		expect(device.engine).toBe(engine);
		expect(device.engineReason).toBe(engine === "xs" ? undefined : "Node was asked for");
		expect(device.meter().heapSlots === undefined).toBe(engine === "node");
	});

	test("evaluates scripts, promises included", async () => {
		const device = await run();
		expect(await device.evaluate("[1, 'ä', null]")).toEqual([1, "ä", null]);
		expect(await device.evaluate("Promise.resolve(5)")).toBe(5);
		await expect(device.evaluate("null.x")).rejects.toThrow("TypeError");
		await expect(device.evaluate("Promise.reject(new Error('late'))")).rejects.toThrow("late");
	});

	test("has the globals of hardware, and no others that firmware might lean on", async () => {
		const device = await run();
		const foreign = ["TextEncoder", "TextDecoder", "setTimeout", "setImmediate", "URL", "performance", "process", "require", "issueCommand", "Intl"];
		expect(await device.evaluate(`${JSON.stringify(foreign)}.filter((name) => name in globalThis)`)).toEqual([]);
		await expect(device.evaluate("console.error('x')")).rejects.toThrow("ReferenceError");
		expect(await device.evaluate("String.fromArrayBuffer(ArrayBuffer.fromString('aä').concat(ArrayBuffer.fromString('音')))")).toBe("aä音");
		await expect(device.evaluate("String.fromArrayBuffer(Uint8Array.of(0x61, 0xe9).buffer)")).rejects.toThrow("TypeError");
		expect(await device.evaluate("new m.TextDecoder().decode(Uint8Array.of(0x61, 0xe9, 0xc3, 0xa4))")).toBe("a\ufffdä");
		await expect(device.evaluate("new m.TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.of(0xe9))")).rejects.toThrow("TypeError");
		expect(await device.evaluate("m.Named.second")).toBe(3);
	});

	test("hands over the configuration, frozen, and a Wi-Fi to join where it names none", async () => {
		const device = await run({ config: { token: "ä", list: [1] } });
		expect(await device.evaluate("m.config")).toEqual({ ssid: "simulated", token: "ä", list: [1] });
		expect(await device.evaluate("Object.isFrozen(m.config)")).toBe(true);
		expect(await device.evaluate("m.Net.get('IP')")).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
	});

	test("writes whole lines to the log, and the last one at the end", async () => {
		const device = await run();
		await device.evaluate("trace('a'), trace(1, 'b\\nc'), 0");
		expect(device.log.lines).toEqual(["a1b"]);
		await device.close();
		expect(device.log.lines).toEqual(["a1b", "c"]);
	});

	test("shows the state of simulated parts", async () => {
		const shown: unknown[] = [];
		const device = await run({ onShow: (...part) => shown.push(part) });
		await device.evaluate("m.show('light', { on: true })");
		expect(shown).toEqual([["light", { on: true }]]);
	});

	test("runs timers on a clock that the test moves", async () => {
		const device = await run({ clock: "manual" });
		await device.evaluate(`globalThis.ran = [];
			const { Timer, Time } = m;
			const start = Time.ticks;
			const note = (name) => () => { ran.push(name + "@" + Time.delta(start)); };
			Timer.set(note("late"), 30000);
			Timer.set(note("ten"), 10);
			const repeated = Timer.set((timer) => { note("first")(); if (ran.length > 4) Timer.clear(timer); }, 5, 10);
			Timer.clear(Timer.set(note("never"), 1));
			Timer.clear(undefined);
			globalThis.resting = Timer.repeat(note("resting"), 7);
			Timer.schedule(resting);
			Timer.set(() => { Timer.schedule(resting, 100); Timer.set(note("nested"), 5); }, 20);
			ran.push("sync"); 0`);
		await device.advance(0);
		expect(await device.evaluate("ran")).toEqual(["sync"]);
		await device.advance(40);
		expect(await device.evaluate("ran")).toEqual(["sync", "first@5", "ten@10", "first@15", "first@25", "nested@25"]);
		await device.advance(29_959);
		expect(await device.evaluate("ran.slice(6)")).toEqual(["resting@120"]);
		await device.advance(1);
		expect(await device.evaluate("ran.at(-1)")).toBe("late@30000");
		await expect(device.evaluate("m.Timer.schedule(resting, 1)")).rejects.toThrow("over");
	});

	test("runs what is due at once without the clock, but never within the call", async () => {
		const device = await run({ clock: "manual" });
		expect(await device.evaluate("new Promise((resolve) => { let sync = true; m.Timer.set(() => resolve(sync)); sync = false; })")).toBe(false);
	});

	test("keeps preferences over a restart", async () => {
		let restarted = () => {};
		const restart = new Promise<void>((resolve) => {
			restarted = resolve;
		});
		const device = await run({ preferences: { audio: { volume: 70 } }, onRestart: restarted });
		expect(await device.evaluate("m.Preference.get('audio', 'volume')")).toBe(70);
		expect(await device.evaluate("m.Preference.get('audio', 'toString') === undefined && m.Preference.get('none', 'x') === undefined")).toBe(true);
		await device.evaluate(`const P = m.Preference;
			P.set("audio", "volume", 33); P.set("a", "text", "ä"); P.set("a", "flag", false); P.set("a", "bytes", Uint8Array.of(0, 10, 255).buffer);
			P.set("a", "gone", 1); P.delete("a", "gone"); P.delete("b", "x"); 0`);
		for (const call of ["set('a', 'float', 0.5)", "set('a', 'a name of sixteen', 1)", "set('a', 'object', {})"])
			await expect(device.evaluate(`m.Preference.${call}`)).rejects.toThrow("Error");
		await expect(device.evaluate("m.restart()")).rejects.toThrow("ended");
		await restart;
		expect(device.preferences).toEqual({ audio: { volume: 33 }, a: { text: "ä", flag: false, bytes: Uint8Array.of(0, 10, 255) } });
	});

	test("a restart makes a fresh machine", async () => {
		const { server, port } = await webSocketServer();
		const device = await run({ entry: ECHO, config: { host: "127.0.0.1", port } });
		const [first] = (await once(server, "connection")) as [WebSocket];
		const [[second]] = await Promise.all([once(server, "connection"), once(first, "close"), device.evaluate("restart()").catch(() => undefined)]);
		(second as WebSocket).send("again");
		expect(String((await once(second as WebSocket, "message"))[0])).toBe("again");
	});

	test("resolves names, and tells when it cannot", async () => {
		const device = await run();
		const resolve = (host: string) =>
			device.evaluate(
				`new Promise((resolve) => new m.Resolver({}).resolve({ host: "${host}", onResolved: (...a) => resolve(a), onError: (h) => resolve(h) }))`,
			);
		expect(await resolve("localhost")).toEqual(["127.0.0.1", "127.0.0.1"]);
		expect(await resolve("10.1.2.3")).toEqual(["10.1.2.3", "10.1.2.3"]);
		expect(await resolve("no-such-host.invalid")).toBe("no-such-host.invalid");
	});

	describe("TCP sockets", () => {
		const open = (port: number, more = "") => `new Promise((resolve, reject) => {
			globalThis.socket = new m.TCP({ address: "127.0.0.1", port: ${port}, onWritable: resolve, onError: () => reject(new Error("refused")) ${more} });
		})`;

		test("write no more than the window, and again when it has drained", async () => {
			let received = Buffer.alloc(0);
			const port = await tcpServer((socket) =>
				socket.on("data", (chunk: Buffer) => {
					received = Buffer.concat([received, chunk]);
				}),
			);
			const device = await run({ config: { simulatedWritable: 100 } });
			expect(await device.evaluate(open(port))).toBe(100);
			expect(await device.evaluate("[socket.write(new Uint8Array(60).fill(1)), socket.format, socket.remoteAddress, socket.remotePort]")).toEqual([
				40,
				"buffer",
				"127.0.0.1",
				port,
			]);
			await expect(device.evaluate("socket.write(new ArrayBuffer(101))")).rejects.toThrow("RangeError");
			await device.evaluate("socket.format = 'number'; socket.write(2); socket.close(); socket.close()");
			for (const use of ["socket.write(1)", "socket.read()", "socket.format"]) await expect(device.evaluate(use)).rejects.toThrow("closed");
			await device.close();
			expect(received).toEqual(Buffer.concat([Buffer.alloc(60, 1), Buffer.of(2)]));
		});

		test("hand over bytes in both formats, then the end of the connection", async () => {
			const port = await tcpServer((socket) => void socket.end(Buffer.from("abcdefgh")));
			const device = await run({ config: { simulatedReadable: 3 } });
			const result = await device.evaluate(`new Promise((resolve) => {
				const got = [];
				new m.TCP({ address: "127.0.0.1", port: ${port},
					onReadable(count) {
						got.push(count);
						this.format = "number"; got.push(this.read()); this.format = "buffer";
						try { this.read(9) } catch (e) { got.push(e.name) }
						const rest = new Uint8Array(count - 1);
						got.push(this.read(rest), String.fromCharCode(...rest), this.read() === undefined);
					},
					onError() { this.close(); resolve(got); } });
			})`);
			expect(result).toEqual([3, 97, "RangeError", 2, "bc", true, 3, 100, "RangeError", 2, "ef", true, 2, 103, "RangeError", 1, "h", true]);
		});

		test("report a refused connection, and refuse what is no IPv4 address or port", async () => {
			const port = await tcpServer(() => undefined);
			const device = await run();
			await expect(device.evaluate(open(1))).rejects.toThrow("refused");
			await expect(device.evaluate(open(port).replace("127.0.0.1", "::1"))).rejects.toThrow("invalid address");
			await expect(device.evaluate(open(port + 65_536))).rejects.toThrow("invalid port");
		});
	});

	describe("UDP sockets", () => {
		async function peer(port?: number): Promise<UdpPeer> {
			const made = await UdpPeer.open(port);
			ends.push(() => made.close());
			return made;
		}

		test("send datagrams, and hand over what comes with where it comes from", async () => {
			const [device, other] = [await run(), await peer()];
			await device.evaluate(`globalThis.got = new Promise((resolve) => {
				globalThis.socket = new m.UDP({ target: "mine", onReadable(count) {
					const { byteLength, address, port } = this.read();
					resolve([count, byteLength, address, port, this.read() === undefined, this.target, this.format]);
				} });
				socket.write(Uint8Array.of(0, 1, 2, 3).subarray(1), "127.0.0.1", ${other.port});
			}); 0`);
			const { bytes, port } = await other.next();
			expect([...bytes]).toEqual([1, 2, 3]);
			await other.send(Buffer.from("hello"), port);
			expect(await device.evaluate("got")).toEqual([1, 5, "127.0.0.1", other.port, true, "mine", "buffer"]);
		});

		test("listen on a port, cut what is too long, and are closed with the machine", async () => {
			const [device, other, port] = [await run(), await peer(), await freeUdpPort()];
			await device.evaluate(`globalThis.got = new Promise((resolve) => {
				globalThis.socket = new m.UDP({ port: ${port}, onReadable() { resolve(this.read().byteLength) } });
			}); 0`);
			await other.send(new Uint8Array(3000), port);
			expect(await device.evaluate("got")).toBe(2048);
			await device.close();
			expect((await peer(port)).port).toBe(port);
		});

		test("refuse a port that is taken or none, other formats, an address that is not IPv4, and work after close", async () => {
			const [device, other] = [await run(), await peer()];
			const open = (options: string) => device.evaluate(`new m.UDP(${options}), 0`);
			await expect(open(`{ port: ${other.port} }`)).rejects.toThrow("bind failed");
			for (const options of ["{ port: 65536 }", "{ port: -1 }", "{ format: 'number' }"]) await expect(open(options)).rejects.toThrow("RangeError");
			await device.evaluate("globalThis.socket = new m.UDP({}), 0");
			await expect(device.evaluate("socket.write(new ArrayBuffer(1), '::1', 9)")).rejects.toThrow("invalid IP address");
			await device.evaluate("socket.close(); socket.close()");
			for (const use of ["socket.read()", "socket.write(new ArrayBuffer(1), '127.0.0.1', 9)"])
				await expect(device.evaluate(use)).rejects.toThrow("SyntaxError");
		});
	});

	test("has a time of day that the firmware can set, and the host keeps its own", async () => {
		const device = await run({ config: { simulatedTime: 5000 } });
		const before = Date.now();
		expect(await device.evaluate("[Date.now() < 60000, new Date().getUTCFullYear(), new Date(7).getTime()]")).toEqual([true, 1970, 7]);
		expect(await device.evaluate("m.Time.set(1760000000), new Date().toISOString().slice(0, 15)")).toBe("2025-10-09T08:5");
		expect(Date.now() - before).toBeLessThan(60_000);
		expect(await (await run()).evaluate("Date.now()")).toBeGreaterThanOrEqual(before);
	});

	describe("the WebSocket client", () => {
		async function connect(
			config: object = {},
		): Promise<{ device: RunningDevice & { log: Log }; peer: WebSocket; headers: NodeJS.Dict<string | string[]> }> {
			const { server, port } = await webSocketServer();
			const connected = once(server, "connection");
			const device = await run({ entry: ECHO, clock: "manual", config: { host: "localhost", port, ...config } });
			const [peer, request] = await connected;
			return { device, peer, headers: request.headers };
		}

		test("asks for the upgrade as Moddable's does", async () => {
			const { headers } = await connect({ protocol: "mcp" });
			expect(headers).toMatchObject({ connection: "keep-alive, Upgrade", "x-test": "yes", "sec-websocket-protocol": "mcp", host: "localhost" });
		});

		test.each([{}, { simulatedReadable: 1 }, { simulatedReadable: 7, simulatedWritable: 300 }])(
			"echoes text, nothing, and much, with %j",
			async (windows) => {
				const { peer } = await connect(windows);
				const large = Buffer.from(Uint8Array.from({ length: "simulatedReadable" in windows ? 3000 : 100_000 }, (_, i) => i));
				for (const sent of ["hällo", "", large, Buffer.alloc(126, 1)]) {
					peer.send(sent);
					const [data, binary] = await once(peer, "message");
					expect(binary).toBe(typeof sent !== "string");
					expect(Buffer.compare(data as Buffer, Buffer.from(sent as string))).toBe(0);
				}
			},
		);

		test("answers pings by itself", async () => {
			const { peer, device } = await connect();
			peer.ping("hi");
			expect(String((await once(peer, "pong"))[0])).toBe("hi");
			expect(device.log.lines).toContain("control 9 104,105");
		});

		test("says goodbye when the device is closed", async () => {
			const { peer, device } = await connect();
			const [[code]] = await Promise.all([once(peer, "close"), device.close()]);
			expect(code).toBe(1000);
			expect(device.log.lines.slice(-2)).toEqual(["control 8 3,232", "closed"]);
			expect(await device.exited).toEqual({ ok: true, reason: "closed" });
		});

		test("answers the goodbye of its peer and is closed", async () => {
			const { peer, device } = await connect();
			peer.close(1001);
			await once(peer, "close");
			await device.log.find(/^closed$/);
			expect(device.log.lines.slice(-2)).toEqual(["control 8 3,233", "closed"]);
		});

		test("reports a lost connection as an error", async () => {
			const { peer, device } = await connect();
			peer.terminate();
			expect(await device.log.find(/^error|^closed/)).toBe("error");
		});

		test.each([
			["a refusal", "HTTP/1.1 401 Unauthorized\r\n\r\n"],
			["a response without reason phrase", "HTTP/1.1 101\r\n\r\n"],
			["missing headers", "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\n\r\n"],
			["an unknown opcode", "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Accept: x\r\n\r\n\x83\x00"],
			["reserved bits", "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Accept: x\r\n\r\n\xc1\x00"],
		])("reports %s as an error", async (_, response) => {
			const port = await tcpServer((socket) => socket.once("data", () => socket.write(response, "latin1")));
			const device = await run({ entry: ECHO, config: { host: "127.0.0.1", port } });
			await device.log.find(/^error$/);
		});

		test("reads masked frames and messages in pieces", async () => {
			const head = "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Accept: x\r\n\r\n";
			const echoed = new Promise<Buffer>((resolve) => {
				tcpServer((socket) => {
					socket.once("data", () => {
						socket.write(Buffer.concat([Buffer.from(head), Buffer.of(0x01, 0x83, 1, 2, 3, 4, 0x61 ^ 1, 0x62 ^ 2, 0x63 ^ 3, 0x89, 0, 0x80, 1, 0x64)]));
						let received = Buffer.alloc(0);
						socket.on("data", (chunk: Buffer) => {
							received = Buffer.concat([received, chunk]);
							if (received.length >= 10 + 6) resolve(received);
						});
					});
				}).then((port) => run({ entry: ECHO, config: { host: "127.0.0.1", port, simulatedReadable: 5 } }));
			});
			const frames = await echoed;
			const message = frames.indexOf(0x81);
			expect(frames[message + 1]).toBe(0x84);
			const mask = frames.subarray(message + 2, message + 6);
			const text = frames.subarray(message + 6, message + 10).map((byte, i) => byte ^ (mask[i] as number));
			expect(String(Buffer.from(text))).toBe("abcd");
		});
	});

	describe("what nobody catches", () => {
		test.each([
			["a timer", "m.Timer.set(() => { throw new Error('boom'); })"],
			["a socket's callback", "new m.TCP({ address: '127.0.0.1', port: 1, onError() { throw new Error('boom'); } })"],
		])("in %s ends the device", async (_, script) => {
			const device = await run();
			await device.evaluate(`${script}, 0`);
			expect(await device.exited).toEqual({ ok: false, reason: "XS abort: unhandled exception Error: boom" });
			expect(device.log.lines).toContain("XS abort: unhandled exception Error: boom");
			await expect(device.evaluate("1")).rejects.toThrow("over");
			await device.close();
			expect((await device.exited).ok).toBe(false);
		});

		test("in the main module ends the device", async () => {
			const device = await run({ entry: "tests/simulator/fixtures/throws.ts" });
			expect(await device.exited).toEqual({ ok: false, reason: "XS abort: unhandled exception Error: no main" });
			expect(device.log.lines.slice(0, 2)).toEqual(["begins", "XS abort: unhandled exception Error: no main"]);
		});

		test("is survived when the firmware's abort hook says so", async () => {
			const device = await run();
			await device.evaluate(
				"globalThis.abort = (what, reason) => { trace(what + ': ' + reason.message + '\\n'); return false; }, m.Timer.set(() => { throw new Error('boom'); }), 0",
			);
			await device.log.find(/^unhandled exception: boom$/);
			expect(await device.evaluate("1")).toBe(1);
		});
	});

	test("closes when the firmware has nothing to close, and twice", async () => {
		const device = await run();
		await Promise.all([device.close(), device.close()]);
		expect(await device.exited).toEqual({ ok: true, reason: "closed" });
		expect(device.meter()).toEqual({});
	});

	test("closes when the peer does not answer", async () => {
		const port = await tcpServer((socket) => socket.pause());
		const device = await run({ entry: ECHO, config: { host: "127.0.0.1", port } });
		await device.close();
		expect(await device.exited).toEqual({ ok: true, reason: "closed" });
	});
}
