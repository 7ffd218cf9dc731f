// The simulated hardware modules: they keep state, show it, and refuse what the real ones refuse.

import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";

let device: RunningDevice;
let shown: Map<string, unknown>;
let described: Map<string, unknown>;
let restarts = 0;

async function start(config: Record<string, unknown> = {}): Promise<void> {
	shown = new Map();
	described = new Map();
	restarts = 0;
	device = await runDevice({
		board: "simulator",
		entry: "tests/simulator/fixtures/hardware.ts",
		config: { device_id: "02:00:00:00:00:01", ...config },
		engine: "node",
		clock: "manual",
		onDescribe: (part, description) => described.set(part, description),
		onShow: (part, state) => shown.set(part, state),
		onRestart: () => restarts++,
	});
}
beforeEach(() => start());
afterEach(() => device.close());

const run = (script: string) => device.evaluate(`(() => { ${script} })()`);

test("a strip shows what an update sends, with its brightness in percent", async () => {
	await run(
		"const p = globalThis.p = new h.NeoPixel({ length: 3, pin: 8 }); p.brightness = 128; p.fill(p.makeRGB(1, 2, 3)); p.setPixel(2, p.makeHSB(120, 1000, 1000)); p.setPixel(3, 5);",
	);
	expect(shown.has("light")).toBe(false);
	await run("p.update()");
	expect(shown.get("light")).toEqual({
		on: true,
		brightness: 50,
		pixels: [
			[1, 2, 3],
			[1, 2, 3],
			[0, 255, 0],
		],
	});
	await run("p.fill(0); p.update()");
	expect(shown.get("light")).toMatchObject({ on: false });
	await run("const q = new h.NeoPixel({ length: 1, pin: 9 }); q.update()");
	expect(shown.get("light2")).toMatchObject({ pixels: [[0, 0, 0]] });
});

test("an output shows its level; an input rests where its resistor pulls it", async () => {
	await run("globalThis.d = new h.Digital({ pin: 18, mode: h.Digital.Output, initialValue: 1 })");
	expect(shown.get("gpio18")).toEqual({ level: 1 });
	await run("d.write(0)");
	expect(shown.get("gpio18")).toEqual({ level: 0 });
	expect(await run("return new h.Digital({ pin: 0, mode: h.Digital.InputPullUp }).read()")).toBe(1);
	await run("d.close(); d.close(); const older = new h.PinsDigital(18, h.PinsDigital.Output); older.write(1);");
	expect(shown.get("gpio18")).toEqual({ level: 1 });
});

test.each([
	["a pin twice", "new h.Digital({ pin: 5, mode: 8 }); new h.NeoPixel({ pin: 5, length: 1 })", "neopixel: pin 5 is in use by digital"],
	["a pin that is none", "new h.Servo({ pin: 99 })", "servo: 99 is no pin"],
	["writing an input", "new h.Digital({ pin: 5, mode: 0 }).write(1)", "an input cannot be written"],
	["a strip of no pixels", "new h.NeoPixel({ pin: 5, length: 0 })", "invalid length"],
	["a strip after its close", "const p = new h.NeoPixel({ pin: 5, length: 1 }); p.close(); p.update()", "closed"],
	["a position that is none", "new h.Servo({ pin: 5 }).write(NaN)", "NaN is no position"],
	["a servo after its close", "const s = new h.Servo({ pin: 5 }); s.close(); s.write(1)", "closed"],
	["a ninth servo", "for (let pin = 1; pin < 10; pin++) new h.Servo({ pin })", "all servo channels are already taken"],
	["a duty above the resolution", "new h.PWM({ pin: 5 }).write(1024)", "1024 is not from 0 to 1023"],
	["sound at a strange rate", "new h.AudioOut({ sampleRate: 96000 })", "invalid sample rate"],
	["sound without room", "new h.AudioOut({}).write(new Uint8Array(30000))", "insufficient space"],
	["half a sample", "new h.AudioOut({}).write(new Uint8Array(3))", "full samples only"],
	["a chip that is not there", "new h.I2C({ address: 0x77 }).read(1)", "nothing answers at 0x77"],
	["an address that is none", "new h.I2C({ address: 200 })", "invalid address"],
	["a serial line without a rate", "new h.Serial({})", "invalid baud"],
	["a native function that it lacks", "new h.FFI().esp_deep_sleep(1)", "the board calls esp_deep_sleep, which the simulator does not have"],
])("refuses %s", async (_, script, reason) => {
	await expect(run(script)).rejects.toThrow(reason);
});

test("a servo turns at 500 degrees per second to where it was sent, and stays where it is without pulses", async () => {
	await run("globalThis.s = new h.Servo({ pin: 39, min: 500, max: 2500 }); s.write(90)");
	expect(described.get("servo0")).toEqual({ kind: "servo", pin: 39 });
	expect(shown.get("servo0")).toEqual({ angle: 90, position: 90, moving: false });
	await run("s.writeMicroseconds(2500)");
	expect(shown.get("servo0")).toEqual({ angle: 180, position: 90, moving: true });
	await device.advance(80);
	expect(shown.get("servo0")).toEqual({ angle: 180, position: 130, moving: true });
	await device.advance(120);
	expect(shown.get("servo0")).toEqual({ angle: 180, position: 180, moving: false });
	await run("s.write(0)");
	await device.advance(40);
	await run("s.writeMicroseconds(0)");
	await device.advance(500);
	expect(shown.get("servo0")).toEqual({ angle: 0, position: 160, moving: false });
});

test("a button rests at its resistor's level, and a press is an edge", async () => {
	await run(
		"globalThis.edges = []; globalThis.b = new h.Digital({ pin: 3, mode: h.Digital.InputPullUp, edge: 3, onReadable() { edges.push(this.read()) } }); new h.Digital({ pin: 4, mode: h.Digital.InputPullDown, edge: h.Digital.Rising, onReadable() { edges.push(9) } })",
	);
	expect([described.get("button3"), shown.get("button3")]).toEqual([{ kind: "button", pin: 3 }, { pressed: false }]);
	for (const pressed of [true, true, false]) device.input("button3", { pressed });
	for (const pressed of [true, false]) device.input("button4", { pressed });
	device.input("button5", { pressed: true });
	// However short it came in, a press lasts long enough to be seen.
	await device.advance(119);
	expect(await run("return [edges, b.read()]")).toEqual([[0, 9], 0]);
	await device.advance(1);
	expect(await run("return [edges, b.read()]")).toEqual([[0, 9, 1], 1]);
	expect(shown.get("button3")).toEqual({ pressed: false });
});

test("slow PWM turns a servo, fast PWM shows its duty", async () => {
	await run(
		"globalThis.a = new h.PWM({ pin: 4, hz: 50, resolution: 14 }); a.write(Math.round(1500 / 20000 * 16383)); new h.PWM({ pin: 6, hz: 5000 }).write(1023);",
	);
	expect(shown.get("servo0")).toEqual({ angle: 90, position: 90, moving: false });
	expect(shown.get("pwm6")).toEqual({ hz: 5000, duty: 100 });
});

describe("sound", () => {
	const TONE = `globalThis.o = new h.AudioOut({ sampleRate: 48000, channels: 1, bitsPerSample: 16, onWritable(count) {
		globalThis.most = Math.max(globalThis.most ?? 0, count);
		const samples = new Int16Array(Math.min(count, globalThis.left) / 2);
		for (let i = 0; i < samples.length; i++) samples[i] = 16000 * Math.sin(2 * Math.PI * globalThis.hz * (globalThis.at++ / 48000));
		globalThis.left -= samples.byteLength;
		if (samples.length) this.write(samples);
	} }); o.volume = 0.25; o.start();`;

	test.each([50, 440, 8000])("of %p Hz is heard with its pitch, as long as it lasts", async (frequency) => {
		await run(`globalThis.hz = ${frequency}; globalThis.at = 0; globalThis.left = 96_000; ${TONE}`);
		await device.advance(20);
		const { frequency: heard, gain } = shown.get("sound") as { frequency: number; gain: number };
		expect(Math.abs(heard - frequency) / frequency).toBeLessThan(0.02);
		expect(gain).toBe(0.25);
		expect(await run("return most")).toBe(20_460);
		await run("o.volume = 0.5");
		expect(shown.get("sound")).toMatchObject({ gain: 0.5 });
		// One second of sound cannot be written in less, but for what the buffer holds.
		await device.advance(500);
		expect(await run("return left")).toBeGreaterThan(0);
		await device.advance(500);
		expect(await run("return left")).toBe(0);
		await run("o.close(); o.close()");
		expect(shown.get("sound")).toMatchObject({ frequency: 0 });
	});
});

describe("the I2C bus", () => {
	test("has chips with registers that keep what is written", async () => {
		expect(await run("return new h.SMBus({ address: 0x18 }).readUint8(0xfd)")).toBe(0x83);
		await run("const c = new h.SMBus({ address: 0x18, data: 1, clock: 0, hz: 100000 }); c.writeUint8(0x32, 180); c.writeUint8(0x31, 0x60)");
		expect(shown.get("codec")).toEqual({ volume: 180, muted: true });
		expect(await run("const i = new h.I2C({ address: 0x18 }); i.write(Uint8Array.of(0x31)); return [...new Uint8Array(i.read(2))]")).toEqual([
			0x60, 180,
		]);
	});

	test("has a chip with registers of 16 bits", async () => {
		await run("globalThis.a = new h.SMBus({ address: 0x36 }); a.writeUint16(0x0c, 0x3064, true)");
		expect(shown.get("amplifier")).toEqual({ attenuation: 0x30 });
		expect(await run("return a.readUint16(0x0c, true)")).toBe(0x3064);
		expect(await run("return a.readUint16(0, true)")).toBe(0x1852);
	});

	test("loses a chip that the configuration takes away", async () => {
		await device.close();
		await start({ simulatedAbsent: [0x18] });
		await expect(run("new h.SMBus({ address: 0x18 }).writeUint8(0, 0)")).rejects.toThrow("nothing answers at 0x18");
	});
});

test("motors on the serial line go where a sentence tells them, and answer", async () => {
	const sentence = (id: number, ...body: number[]) => {
		const rest = [id, body.length + 1, ...body];
		return [0xff, 0xff, ...rest, ~rest.reduce((sum, byte) => sum + byte, 0) & 255];
	};
	await run(
		"globalThis.came = 0; globalThis.u = new h.Serial({ transmit: 6, receive: 7, baud: 1000000, format: 'buffer', onReadable(count) { came = count; } })",
	);
	// Noise, then the sentence in two pieces: position 512 of 1024, which is 150 degrees.
	const bytes = [1, 2, ...sentence(1, 3, 42, 2, 0)];
	await run(`u.write(Uint8Array.from(${JSON.stringify(bytes.slice(0, 6))})); u.write(Uint8Array.from(${JSON.stringify(bytes.slice(6))}).buffer)`);
	expect([described.get("servo0"), shown.get("servo0")]).toMatchObject([{ id: 1 }, { angle: 150 }]);
	await device.advance(0);
	expect(await run("return came")).toBe(6);
	expect(await run("return [...new Uint8Array(u.read())]")).toEqual(sentence(1, 0));
	await run(
		`u.write(Uint8Array.from(${JSON.stringify(sentence(1, 3, 42, 1, 0))})); u.flush(); u.write(Uint8Array.from(${JSON.stringify(sentence(1, 2, 56, 2))}))`,
	);
	expect(await run("return [...new Uint8Array(u.read(8))]")).toEqual(sentence(1, 0, 1, 0));
	await run(`u.write(Uint8Array.from(${JSON.stringify(sentence(0xfe, 0x83, 42, 2, 1, 0, 0, 2, 3, 255))}))`);
	expect([shown.get("servo0"), shown.get("servo1")]).toMatchObject([{ angle: 0 }, { angle: 299.7 }]);
	expect(await run("return u.read() === undefined")).toBe(true);
	// A wrong check and a length that is too small pass without effect.
	await run("u.write(Uint8Array.of(0xff, 0xff, 1, 5, 3, 42, 0, 0, 0)); u.write(Uint8Array.of(0xff, 0xff, 1, 0, 0, 0, 0)); u.close(); u.close()");
	expect(shown.get("servo0")).toMatchObject({ angle: 0 });
});

test("the chip has memory, the device's address, and restarts", async () => {
	expect(
		await run(
			"const b = new ArrayBuffer(6); const f = new h.FFI(); return [f.esp_read_mac(b, 0), [...new Uint8Array(b)], f.esp_get_free_heap_size() > 0]",
		),
	).toEqual([0, [2, 0, 0, 0, 0, 1], true]);
	await run("new h.FFI().esp_restart()").catch(() => undefined);
	await device.advance(0);
	expect(restarts).toBe(1);
});
