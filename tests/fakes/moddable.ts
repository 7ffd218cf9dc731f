// Stand-ins for Moddable's hardware modules that record what drivers do with them and refuse what the real ones refuse.

import { jest } from "@jest/globals";
import { FakeServo } from "./servo.js";

/** Every instance that a fake class has made, newest last. */
export const made = {
	pixels: [] as FakeNeoPixel[],
	digitals: [] as FakeDigital[],
	audio: [] as FakeAudioOut[],
	/** What the simulated board has shown, by part. */
	panel: new Map<string, object>(),
	/** How often a restart was asked for. */
	restarts: 0,
};

/** What the fake network and chip answer. */
export const facts = {
	SSID: "home" as string | undefined,
	RSSI: -50 as number | undefined,
	IP: "192.0.2.7" as string | undefined,
	freeHeap: 150_000,
	minimumFreeHeap: 120_000,
};

export class FakeNeoPixel {
	brightness = 64;
	readonly length: number;
	readonly options: { length: number; pin: number; order?: string };
	/** What the wire carried at the last update. */
	shown: number[] = [];
	updates = 0;
	closed = 0;
	readonly #colors: number[];

	constructor(options: { length: number; pin: number; order?: string }) {
		this.options = options;
		this.length = options.length;
		this.#colors = new Array(options.length).fill(0);
		made.pixels.push(this);
	}
	makeRGB(red: number, green: number, blue: number): number {
		return (red << 16) | (green << 8) | blue;
	}
	setPixel(index: number, color: number): void {
		this.#open();
		this.#colors[index] = color;
	}
	fill(color: number): void {
		this.#open();
		this.#colors.fill(color);
	}
	update(): void {
		this.#open();
		this.updates++;
		this.shown = [...this.#colors];
	}
	close(): void {
		this.closed++;
	}
	#open(): void {
		if (this.closed) throw new Error("used after close");
	}
}

export class FakeDigital {
	static readonly Output = 8;
	readonly options: { pin: number; mode: number; initialValue?: number };
	level: number;
	closed = 0;

	constructor(options: { pin: number; mode: number; initialValue?: number }) {
		this.options = options;
		this.level = options.initialValue ?? 0;
		made.digitals.push(this);
	}
	write(value: number): void {
		if (this.closed) throw new Error("used after close");
		this.level = value;
	}
	close(): void {
		this.closed++;
	}
}

/** Like the ESP32's: takes at most what `onWritable` gave, plays nothing before 4 KB are full. */
export class FakeAudioOut {
	volume = 1;
	started = false;
	closed = 0;
	readonly options: { sampleRate: number; channels: number; bitsPerSample: number; onWritable: (byteLength: number) => void };
	/** Every sample that was written. */
	samples: number[] = [];
	/** Does time make room, as on hardware? Otherwise the test does, by `drain`. */
	static live = false;
	#writable = 0;
	#clock: ReturnType<typeof setInterval> | undefined;

	constructor(options: FakeAudioOut["options"]) {
		if (options.sampleRate < 8000 || options.sampleRate > 48000) throw new RangeError("invalid sample rate");
		this.options = options;
		made.audio.push(this);
	}
	start(): void {
		this.started = true;
		if (FakeAudioOut.live) this.#clock = setInterval(() => this.drain(4092), (4092 / 2 / this.options.sampleRate) * 1000);
	}
	stop(): void {
		this.started = false;
	}
	write(data: Uint8Array): void {
		if (this.closed) throw new Error("used after close");
		if (data.byteLength > this.#writable) throw new Error("insufficient space");
		if (data.byteLength % 2) throw new Error("full samples only");
		this.#writable -= data.byteLength;
		const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
		for (let i = 0; i < data.byteLength; i += 2) this.samples.push(view.getInt16(i, true));
	}
	close(): void {
		this.closed++;
		clearInterval(this.#clock);
	}
	/** The driver has room again. */
	drain(byteLength: number): void {
		this.#writable = byteLength;
		this.options.onWritable(byteLength);
	}
}

/** Puts the fakes in the place of Moddable's modules; modules that use them have to be imported afterwards. */
export function installFakes(): void {
	const module = (exports: object) => () => ({ __esModule: true, ...exports });
	const virtual = { virtual: true };
	jest.unstable_mockModule("neopixel", module({ default: FakeNeoPixel }), virtual);
	jest.unstable_mockModule("embedded:io/digital", module({ default: FakeDigital }), virtual);
	jest.unstable_mockModule("pins/servo", module({ default: FakeServo }), virtual);
	jest.unstable_mockModule("embedded:io/audio/out", module({ default: FakeAudioOut }), virtual);
	// By its path: jest would take the bare name for Node's own module.
	jest.unstable_mockModule("../../simulator/runtime/net.js", module({ default: { get: (what: "SSID" | "RSSI" | "IP") => facts[what] } }));
	jest.unstable_mockModule("mc/ffi", module({ default: FakeFfi }), virtual);
	jest.unstable_mockModule(
		"simulator/panel",
		module({ show: (part: string, state: object) => made.panel.set(part, JSON.parse(JSON.stringify(state))) }),
		virtual,
	);
	jest.unstable_mockModule("simulator/restart", module({ restart: () => made.restarts++ }), virtual);
}

class FakeFfi {
	esp_get_free_heap_size(): number {
		return facts.freeHeap;
	}
	esp_get_minimum_free_heap_size(): number {
		return facts.minimumFreeHeap;
	}
	esp_read_mac(address: ArrayBuffer, type: number): number {
		if (type !== 0) return -1;
		new Uint8Array(address).set([0x24, 0x6f, 0x28, 0x0a, 0xbc, 0xff]);
		return 0;
	}
	esp_restart(): void {
		made.restarts++;
	}
}
