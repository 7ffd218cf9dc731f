// What a start needs of the network below: names answered for phones, the clock, and a Wi-Fi that is joined again and again.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ManualTimers } from "../mcp/support.js";

/** ECMA-419's UDP socket, under the test's hand. */
class FakeUdp {
	static readonly made: FakeUdp[] = [];
	static fails = false;
	readonly options: { port?: number; onReadable(count: number): void };
	readonly sent: { bytes: Buffer; address: string; port: number }[] = [];
	closed = 0;
	#packets: ArrayBuffer[] = [];

	constructor(options: FakeUdp["options"]) {
		if (FakeUdp.fails) throw new Error("bind failed");
		this.options = options;
		FakeUdp.made.push(this);
	}
	write(packet: ArrayBuffer, address: string, port: number): void {
		this.sent.push({ bytes: Buffer.from(packet.slice(0)), address, port });
	}
	read(): ArrayBuffer | undefined {
		return this.#packets.shift();
	}
	close(): void {
		this.closed++;
	}
	receive(bytes: Uint8Array, address = "192.168.4.2", port = 5353): void {
		this.receiveAll([bytes], address, port);
	}
	receiveAll(all: readonly Uint8Array[], address = "192.168.4.2", port = 5353): void {
		for (const bytes of all) this.#packets.push(Object.assign(Uint8Array.from(bytes).buffer, { address, port }));
		this.options.onReadable(all.length);
	}
}

const set = jest.fn();
jest.unstable_mockModule("embedded:io/socket/udp", () => ({ __esModule: true, default: FakeUdp }));
jest.unstable_mockModule("time", () => ({ __esModule: true, default: { set } }));
const { answerTo, CaptiveDns, DNS_PORT } = await import("setup/captive-dns");
const { serverReply, SntpClient, TIME_ATTEMPTS, TIME_RETRY_MS } = await import("system/sntp");
const { default: Timer } = await import("timer");
const { WifiKeeper } = await import("system/wifi-keeper");

beforeEach(() => {
	jest.useFakeTimers();
	FakeUdp.made.length = 0;
	FakeUdp.fails = false;
	set.mockClear();
});
afterEach(() => {
	jest.useRealTimers();
});

/** A question as a phone asks it. */
function question(name: string, type = 1, extra = Buffer.alloc(0)): Buffer {
	const labels = name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
	return Buffer.concat([
		Buffer.from("1234010000010000000000", "hex"),
		Buffer.from([extra.length ? 1 : 0]),
		...labels,
		Buffer.from([0, 0, type, 0, 1]),
		extra,
	]);
}

describe("the answerer of names", () => {
	test("gives its own address for every name", () => {
		const answer = Buffer.from(answerTo(question("connectivitycheck.example.com"), [192, 168, 4, 1]) as Uint8Array);
		expect(answer.subarray(0, 12).toString("hex")).toBe("123485000001000100000000");
		expect(answer.subarray(12, -16)).toEqual(question("connectivitycheck.example.com").subarray(12));
		expect(answer.subarray(-16).toString("hex")).toBe("c00c000100010000000a0004c0a80401");
	});

	test("answers a question for another kind of address with nothing, so that the phone does not wait", () => {
		const answer = Buffer.from(answerTo(question("example.com", 28), [1, 2, 3, 4]) as Uint8Array);
		expect(answer.subarray(4, 12).toString("hex")).toBe("0001000000000000");
	});

	test("leaves out extensions behind the question", () => {
		const plain = answerTo(question("a.b"), [1, 2, 3, 4]);
		expect(answerTo(question("a.b", 1, Buffer.from("0000291000000000000000", "hex")), [1, 2, 3, 4])).toEqual(plain);
	});

	test.each([
		["nothing", Buffer.alloc(0)],
		["a header alone", Buffer.from("123401000001000000000000", "hex")],
		[
			"a response",
			Buffer.from(
				question("a.b")
					.toString("hex")
					.replace(/^12340100/, "12348100"),
				"hex",
			),
		],
		[
			"no question",
			Buffer.from(
				question("a.b")
					.toString("hex")
					.replace(/^(.{8})0001/, "$10000"),
				"hex",
			),
		],
		["a label beyond the end", Buffer.concat([Buffer.from("123401000001000000000000", "hex"), Buffer.from([60, 97, 98, 99, 100, 101])])],
		["a compressed name", Buffer.from("123401000001000000000000c00c00010001", "hex")],
		["more than 512 bytes", Buffer.alloc(513, 1)],
	])("does not answer %s", (_title, packet) => {
		expect(answerTo(packet, [1, 2, 3, 4])).toBeUndefined();
	});

	test("answers the phone that asked, and nothing after close", () => {
		const dns = new CaptiveDns({ address: "192.168.4.1", port: DNS_PORT, log: () => {} });
		const [udp] = FakeUdp.made as [FakeUdp];
		expect(udp.options.port).toBe(53);
		udp.receive(Buffer.from("rubbish"));
		udp.receive(question("example.com"), "192.168.4.7", 4444);
		expect(udp.sent).toHaveLength(1);
		expect(udp.sent[0]).toMatchObject({ address: "192.168.4.7", port: 4444 });
		dns.close();
		dns.close();
		expect(udp.closed).toBe(1);
	});

	test("answers the others when one answer cannot be sent", () => {
		new CaptiveDns({ address: "192.168.4.1", port: DNS_PORT, log: () => {} });
		const [udp] = FakeUdp.made as [FakeUdp];
		const write = jest.spyOn(udp, "write").mockImplementationOnce(() => {
			throw new Error("no route");
		});
		udp.receiveAll([question("one.example"), question("two.example")]);
		expect(write).toHaveBeenCalledTimes(2);
		expect(udp.sent).toHaveLength(1);
	});

	test("says that it cannot answer when the port is taken, and nothing worse happens", () => {
		FakeUdp.fails = true;
		const logged: string[] = [];
		new CaptiveDns({ address: "192.168.4.1", port: DNS_PORT, log: (line) => logged.push(line) }).close();
		expect(logged).toEqual(["setup: names are not answered: bind failed"]);
	});
});

describe("the clock", () => {
	function ask() {
		const done: (string | undefined)[] = [];
		const clock = new SntpClient({ timers: Timer, server: "192.0.2.1", onDone: (problem) => done.push(problem) });
		jest.advanceTimersByTime(1);
		return { clock, done, udp: FakeUdp.made[0] as FakeUdp };
	}

	/** What a server answers to the last question. */
	function reply(udp: FakeUdp, change: (packet: Buffer) => void = () => {}): Buffer {
		const packet = Buffer.alloc(48);
		packet[0] = 0x24;
		packet[1] = 2;
		udp.sent.at(-1)?.bytes.copy(packet, 24, 40, 48);
		packet.writeUInt32BE(1_760_000_000 + 2_208_988_800, 40);
		change(packet);
		return packet;
	}

	test("is set from a server's answer", () => {
		const { udp, done } = ask();
		expect(udp.sent[0]).toMatchObject({ address: "192.0.2.1", port: 123 });
		expect(udp.sent[0]?.bytes).toHaveLength(48);
		udp.receive(reply(udp));
		expect(set).toHaveBeenCalledWith(1_760_000_000);
		expect([done, udp.closed, jest.getTimerCount()]).toEqual([[undefined], 1, 0]);
	});

	test.each<[string, (packet: Buffer) => void]>([
		["of another mode", (packet) => packet.writeUInt8(0x23, 0)],
		["of a server that has no time itself", (packet) => packet.writeUInt8(0xe4, 0)],
		["of a server that is still starting", (packet) => packet.writeUInt8(0, 1) && packet.write("INIT", 12)],
		["to another question", (packet) => packet.writeUInt32BE((packet.readUInt32BE(24) ^ 1) >>> 0, 24)],
		["without a time", (packet) => packet.writeUInt32BE(0, 40)],
	])("is not set from a packet %s", (_title, change) => {
		const { udp, done } = ask();
		udp.receive(reply(udp, change));
		udp.receive(Buffer.alloc(10));
		expect(set).not.toHaveBeenCalled();
		expect(done).toEqual([]);
		jest.advanceTimersByTime(TIME_RETRY_MS);
		expect(udp.sent).toHaveLength(2);
		udp.receive(reply(udp));
		expect(set).toHaveBeenCalledTimes(1);
	});

	test("asks four times, then says so", () => {
		const { udp, done } = ask();
		jest.advanceTimersByTime(TIME_RETRY_MS * TIME_ATTEMPTS);
		expect([udp.sent.length, done, udp.closed]).toEqual([TIME_ATTEMPTS, ["the time server does not answer"], 1]);
	});

	test.each(["DENY", "RSTR", "RATE"])("asks no more when the server says %s, unless it says so to another question", (code) => {
		const { udp, done } = ask();
		const kiss = reply(udp, (packet) => {
			packet.writeUInt8(0, 1);
			packet.write(code, 12);
		});
		udp.receive(Buffer.concat([kiss.subarray(0, 24), Buffer.alloc(24)]));
		expect(done).toEqual([]);
		udp.receive(kiss);
		jest.advanceTimersByTime(60_000);
		expect([done, set.mock.calls.length, udp.sent.length, udp.closed]).toEqual([[`the time server refuses: ${code}`], 0, 1, 1]);
	});

	test("is asked of the port that stands behind the server's name, and refuses an address that is none", () => {
		const done: (string | undefined)[] = [];
		new SntpClient({ timers: Timer, server: "192.0.2.1:1234", onDone: (problem) => done.push(problem) });
		new SntpClient({ timers: Timer, server: "192.0.2.1:x", onDone: (problem) => done.push(problem) });
		jest.advanceTimersByTime(1);
		expect(FakeUdp.made.map(({ sent }) => sent[0]?.port)).toEqual([1234]);
		expect(done).toEqual(["the port of the time server's address must be a number from 1 to 65535"]);
	});

	test("asks nothing more after close", () => {
		const { clock, udp, done } = ask();
		clock.close();
		clock.close();
		jest.advanceTimersByTime(60_000);
		expect([udp.sent.length, done]).toEqual([1, []]);
	});

	test("goes on after the count of seconds begins anew in 2036", () => {
		const packet = new DataView(new ArrayBuffer(48));
		packet.setUint8(0, 0x24);
		packet.setUint8(1, 1);
		packet.setUint32(40, 100);
		expect(new Date((serverReply(packet, 0)?.seconds as number) * 1000).getUTCFullYear()).toBe(2036);
	});
});

describe("the keeper of the Wi-Fi", () => {
	function keep() {
		const timers = new ManualTimers();
		const joins: { ssid: string; password: string; onUp(): void; onDown(reason: string): void }[] = [];
		const told: string[] = [];
		const wifi = {
			join: (ssid: string, password: string, callbacks: { onUp(): void; onDown(reason: string): void }) =>
				void joins.push({ ssid, password, ...callbacks }),
			leave: jest.fn(),
			scan() {},
			openAccessPoint: () => "",
			closeAccessPoint() {},
		};
		const keeper = new WifiKeeper({
			wifi,
			ssid: "home",
			password: "correct horse",
			timers,
			random: () => 0,
			log: () => {},
			onUp: () => told.push("up"),
			onDown: (reason) => told.push(reason),
		});
		keeper.start();
		return { keeper, timers, joins, told, wifi };
	}

	test("joins again after each loss, later and later up to a minute, and soon again after it was up", () => {
		const { joins, timers, told } = keep();
		const delays: number[] = [];
		for (let i = 0; i < 7; i++) {
			joins.at(-1)?.onDown("lost");
			delays.push(timers.next as number);
			timers.advance(timers.next as number);
		}
		expect(delays).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
		joins.at(-1)?.onUp();
		expect(told.at(-1)).toBe("up");
		expect(timers.size).toBe(0);
		joins.at(-1)?.onDown("router restarted");
		expect(timers.next).toBe(2000);
	});

	test("takes silence for a failure after 30 s, and does not hear what the old attempt says", () => {
		const { joins, timers, told } = keep();
		timers.advance(30_000);
		expect(told).toEqual(["no answer"]);
		joins[0]?.onUp();
		expect(told).toEqual(["no answer"]);
		timers.advance(2000);
		joins[1]?.onUp();
		expect(told).toEqual(["no answer", "up"]);
	});

	test("survives a radio that throws", () => {
		const timers = new ManualTimers();
		const told: string[] = [];
		const wifi = {
			join: () => {
				throw new Error("ssid too long");
			},
			leave() {},
			scan() {},
			openAccessPoint: () => "",
			closeAccessPoint() {},
		};
		const keeper = new WifiKeeper({ wifi, ssid: "x", password: "", timers, log: () => {}, onUp() {}, onDown: (reason) => told.push(reason) });
		keeper.start();
		expect(told).toEqual(["ssid too long"]);
		keeper.close();
		expect(timers.size).toBe(0);
	});

	test("leaves for good with close, which may be called twice", () => {
		const { keeper, joins, timers, wifi, told } = keep();
		keeper.close();
		keeper.close();
		joins[0]?.onDown("left");
		expect([wifi.leave.mock.calls.length, timers.size, told]).toEqual([1, 0, []]);
	});
});
