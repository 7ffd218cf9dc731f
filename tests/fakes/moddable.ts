// Stand-ins for Moddable's hardware modules that record what drivers do with them and refuse what the real ones refuse. Drivers
// are handed them; boards get them by the names in jest.config.js.

import type { Esp32 } from "drivers/esp32-system";
import type { AudioOutOptions } from "sdk/audio-out";
import type { DigitalOptions } from "sdk/digital";
import type { SmbusOptions } from "sdk/smbus";
import type { FoundNetwork } from "sdk/wifi";
import Timer from "timer";

/** Every instance that a fake class has made, newest last. */
export const made = {
	pixels: [] as FakeNeoPixel[],
	digitals: [] as FakeDigital[],
	audio: [] as FakeAudioOut[],
	buses: [] as FakeSmbus[],
	touches: [] as FakeTouch[],
	/** The calls of ESP-IDF functions other than those below, as text. */
	natives: [] as string[],
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
	CHANNEL: 11 as number | undefined,
	resetReason: 4,
	freeHeap: 150_000,
	minimumFreeHeap: 120_000,
	/** In bytes; undefined where the flash does not tell. */
	flashSize: 4_194_304 as number | undefined,
	/** What is in the flash at 0x8000; undefined where it cannot be read. */
	partitionTable: new Uint8Array(0) as Uint8Array | undefined,
	/** What is in the running partition; undefined where it cannot be opened. */
	runningImage: undefined as Uint8Array | undefined,
	/** The subtype of the running application. */
	runningSubtype: 0x11,
	/** The state of its image, `esp_ota_img_states_t`; undefined where ESP-IDF knows none. */
	imageState: 2 as number | undefined,
	/** Does ESP-IDF refuse what is asked of an image? */
	imageRefused: false,
	/** A simulated part that does not answer. */
	deadPart: undefined as string | undefined,
	/** In degrees Celsius; undefined where the chip has no sensor. */
	temperature: 41.26 as number | undefined,
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
	static readonly Input = 0;
	static readonly InputPullUp = 1;
	static readonly InputPullDown = 2;
	static readonly Output = 8;
	static readonly Rising = 1;
	static readonly Falling = 2;
	readonly options: DigitalOptions;
	level: 0 | 1;
	closed = 0;

	constructor(options: DigitalOptions) {
		if (made.digitals.some((other) => other.options.pin === options.pin && !other.closed)) throw new Error("in use");
		if (options.onReadable && !options.edge) throw new RangeError("invalid edges");
		this.options = options;
		this.level = options.initialValue ?? (options.mode === FakeDigital.InputPullUp ? 1 : 0);
		made.digitals.push(this);
	}
	read(): 0 | 1 {
		if (this.closed) throw new Error("used after close");
		return this.level;
	}
	write(value: 0 | 1): void {
		if (this.closed) throw new Error("used after close");
		if (this.options.mode !== FakeDigital.Output) throw new Error("can't write");
		this.level = value;
	}
	close(): void {
		this.closed++;
	}
	/** Something outside gives the pin a level. */
	drive(level: 0 | 1): void {
		this.level = level;
		this.options.onReadable?.();
	}
}

/** Chips by their I2C address: what was written to their registers, and what reads give. Others do not answer. */
export const chips = new Map<number, { registers: Map<number, number>; writes: [register: number, value: number][] }>();

/** Puts a chip on the bus. */
export function addChip(address: number, registers: { readonly [register: number]: number } = {}) {
	const chip = {
		registers: new Map(Object.entries(registers).map(([register, value]) => [Number(register), value])),
		writes: [] as [register: number, value: number][],
	};
	chips.set(address, chip);
	return chip;
}

export class FakeSmbus {
	readonly options: SmbusOptions;
	closed = 0;

	constructor(options: SmbusOptions) {
		const { data, clock, address, hz } = options;
		if (!(hz > 0)) throw new RangeError("invalid hz");
		if (
			made.buses.some((other) => !other.closed && other.options.data === data && other.options.clock === clock && other.options.address === address)
		)
			throw new RangeError("duplicate address");
		this.options = options;
		made.buses.push(this);
	}
	readUint8(register: number): number {
		return this.#chip("writeRead").registers.get(register) ?? 0;
	}
	writeUint8(register: number, value: number): void {
		if (!(Number.isInteger(value) && value >= 0 && value <= 0xff)) throw new RangeError(`the bus would cut ${value}`);
		this.#write(register, value);
	}
	writeUint16(register: number, value: number, bigEndian = false): void {
		if (!(Number.isInteger(value) && value >= 0 && value <= 0xffff)) throw new RangeError(`the bus would cut ${value}`);
		this.#write(register, bigEndian ? value : ((value & 0xff) << 8) | (value >> 8));
	}
	close(): void {
		this.closed++;
	}
	#write(register: number, value: number): void {
		const chip = this.#chip("write");
		chip.registers.set(register, value);
		chip.writes.push([register, value]);
	}
	#chip(what: string) {
		if (this.closed) throw new Error("used after close");
		const chip = chips.get(this.options.address);
		if (!chip) throw new Error(`${what} failed`);
		return chip;
	}
}

/** The touch panel that a target offers as `device.sensor.Touch`. */
export class FakeTouch {
	points: { x: number; y: number }[] | undefined;
	closed = 0;

	constructor() {
		made.touches.push(this);
	}
	sample(): { x: number; y: number }[] | undefined {
		if (this.closed) throw new Error("used after close");
		return this.points;
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
	readonly options: AudioOutOptions;
	/** Every sample that was written. */
	samples: number[] = [];
	/** Does time make room, as on hardware? Otherwise the test does, by `drain`. */
	static live = false;
	#writable = 0;
	#clock: ReturnType<typeof setInterval> | undefined;

	constructor(options: AudioOutOptions) {
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

/** What was asked of the radio, and what it is to say. */
export class FakeWifi {
	static readonly gotIP = "gotIP";
	static readonly disconnected = "disconnect";
	static mode = 0;
	static readonly stations: FakeWifi[] = [];
	static readonly accessPoints: object[] = [];
	static disconnects = 0;
	static scanned: ((network: FoundNetwork | null | undefined) => void) | undefined;
	closed = 0;
	readonly options: { ssid: string; password?: string };
	readonly onNotify: (message: string, code?: number) => void;

	constructor(options: FakeWifi["options"], onNotify: FakeWifi["onNotify"]) {
		if (Buffer.byteLength(options.ssid) > 32) throw new Error("ssid too long - 32 bytes max");
		this.options = options;
		this.onNotify = onNotify;
		FakeWifi.stations.push(this);
	}
	close(): void {
		this.closed++;
	}
	static scan(_options: object, callback: (network: FoundNetwork | null | undefined) => void): void {
		if (FakeWifi.scanned) throw new Error("already scanning");
		FakeWifi.scanned = callback;
	}
	static accessPoint(options: object): void {
		FakeWifi.accessPoints.push(options);
	}
	static disconnect(): void {
		FakeWifi.disconnects++;
	}
}

/** The other slot: what was written to it, and whether it is to be started. */
export const slot = { size: 0x1f0000, open: 0, written: [] as number[], complete: 0, valid: true };

export const fakeFlash = {
	open({ path }: { path: string }) {
		const { runningImage } = facts;
		if (path === "running" ? !runningImage : path !== "nextota" || !slot.size) throw new Error("partition not found");
		slot.open++;
		return {
			status: () => ({ size: slot.size }),
			read(byteLength: number, byteOffset: number) {
				const image = runningImage ?? new Uint8Array(0);
				if (byteOffset + byteLength > image.byteLength) throw new Error("read failed");
				return Uint8Array.from(image.subarray(byteOffset, byteOffset + byteLength)).buffer;
			},
			close: () => void slot.open--,
		};
	},
};

export const fakeUpdate = {
	open({ byteLength }: { byteLength: number }) {
		if (byteLength > slot.size) throw new RangeError("invalid byteLength");
		slot.open++;
		slot.written = [];
		return {
			write: (bytes: Uint8Array) => void slot.written.push(...bytes),
			complete() {
				if (!slot.valid) throw new Error("end failed");
				slot.complete++;
			},
			close: () => void slot.open--,
		};
	},
};

/** As the glue that Moddable generates for an argument with a size. */
function expectBytes(buffer: ArrayBuffer, atLeast: number): void {
	if (buffer.byteLength < atLeast) throw new RangeError(`invalid buffer size ${buffer.byteLength}`);
}

export class FakeFfi {
	esp_chip_info(info: ArrayBuffer): void {
		expectBytes(info, 12);
		new Uint8Array(info).set([9, 0, 0, 0, 0x12, 0, 0, 0, 0x02, 0x01, 2, 0]);
	}
	esp_flash_get_size(chip: number, size: ArrayBuffer): number {
		expectBytes(size, 4);
		if (chip !== 0 || facts.flashSize === undefined) return 0x102;
		new Uint32Array(size)[0] = facts.flashSize;
		return 0;
	}
	esp_flash_read(chip: number, bytes: ArrayBuffer, address: number, length: number): number {
		expectBytes(bytes, Math.max(512, length));
		if (chip !== 0 || address !== 0x8000 || !facts.partitionTable) return 0x102;
		new Uint8Array(bytes).fill(0xff).set(facts.partitionTable.subarray(0, length));
		return 0;
	}
	esp_ota_get_running_partition(): number {
		return 0x3fc9_0000 + facts.runningSubtype;
	}
	esp_ota_get_state_partition(partition: number, state: ArrayBuffer): number {
		expectBytes(state, 4);
		if (partition !== this.esp_ota_get_running_partition() || facts.imageState === undefined) return 0x105;
		new Uint32Array(state)[0] = facts.imageState;
		return 0;
	}
	esp_ota_mark_app_invalid_rollback_and_reboot(): number {
		if (facts.imageRefused) return 0x1502;
		made.natives.push("esp_ota_mark_app_invalid_rollback_and_reboot");
		throw new Error("the chip has restarted");
	}
	esp_ota_mark_app_valid_cancel_rollback(): number {
		if (facts.imageRefused) return -1;
		made.natives.push("esp_ota_mark_app_valid_cancel_rollback");
		return 0;
	}
	esp_partition_find_first(type: number, subtype: number, label: number): number {
		return type === 0 && label === 0 ? 0x3fc9_0000 + subtype : 0;
	}
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
	esp_reset_reason(): number {
		return facts.resetReason;
	}
	esp_restart(): void {
		made.restarts++;
	}
	esp_rom_gpio_connect_out_signal(...args: number[]): void {
		made.natives.push(`esp_rom_gpio_connect_out_signal ${args}`);
	}
	gpio_set_direction(...args: number[]): number {
		made.natives.push(`gpio_set_direction ${args}`);
		return 0;
	}
	gpio_set_drive_capability(...args: number[]): number {
		made.natives.push(`gpio_set_drive_capability ${args}`);
		return 0;
	}
	temperature_sensor_install(configuration: ArrayBuffer, handle: ArrayBuffer): number {
		if (facts.temperature === undefined) return 0x106;
		made.natives.push(`temperature_sensor_install ${new Int32Array(configuration).subarray(0, 2)}`);
		new Uint32Array(handle)[0] = 0x3fc9_0000;
		return 0;
	}
	temperature_sensor_uninstall(handle: number): number {
		made.natives.push(`temperature_sensor_uninstall ${handle.toString(16)}`);
		return 0;
	}
	temperature_sensor_enable(handle: number): number {
		return handle === 0x3fc9_0000 ? 0 : 0x102;
	}
	temperature_sensor_disable(handle: number): number {
		return handle === 0x3fc9_0000 ? 0 : 0x102;
	}
	temperature_sensor_get_celsius(handle: number, reading: ArrayBuffer): number {
		if (handle !== 0x3fc9_0000 || facts.temperature === undefined) return 0x103;
		new Float32Array(reading)[0] = facts.temperature;
		return 0;
	}
}

const fakeNet = { get: (what: keyof typeof facts) => facts[what] };

/** The chip, to hand to `Esp32System`. */
export const fakeEsp32: Esp32 = { ffi: FakeFfi, flash: fakeFlash, net: fakeNet as Esp32["net"], update: fakeUpdate, wifi: FakeWifi };

/** Time for drivers; jest's fake timers move it. */
export const timers = Timer;
