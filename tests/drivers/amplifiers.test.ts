// Codecs, amplifiers and their switches on a fake bus and fake pins.

import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { GpioAmplifier } from "drivers/amplifier";
import { Aw88298 } from "drivers/aw88298";
import { EchoBaseAmplifier } from "drivers/echo-base-amplifier";
import { Es8311 } from "drivers/es8311";
import { I2sSpeaker } from "drivers/i2s-speaker";
import { PdmAmplifier } from "drivers/pdm-amplifier";
import { Volume, volumeDecibels, volumeGain } from "drivers/volume";
import Preference from "preference";
import { PreferenceStore } from "settings/preference-store";
import { addChip, chips, FakeAudioOut, FakeDigital, FakeFfi, FakeSmbus, made, timers } from "../fakes/moddable.js";

const BUS = { io: FakeSmbus, data: 1, clock: 2 };
const settings = () => new PreferenceStore("amp-test");

beforeEach(() => {
	chips.clear();
	for (const list of [made.buses, made.digitals, made.audio, made.natives]) list.length = 0;
	Preference.delete("amp-test", "volume");
	FakeAudioOut.live = false;
});

describe("the volume's curve", () => {
	test("is silent at 0, full at 100 and rises all the way", () => {
		expect([volumeGain(0), volumeGain(100)]).toEqual([0, 1]);
		expect([volumeDecibels(0), volumeDecibels(100)]).toEqual([Number.NEGATIVE_INFINITY, 0]);
		for (let percent = 1; percent <= 100; percent++) expect(volumeGain(percent)).toBeGreaterThan(volumeGain(percent - 1));
	});

	test("is the same in decibels", () => {
		for (const percent of [1, 10, 50, 99]) expect(10 ** (volumeDecibels(percent) / 20)).toBeCloseTo(volumeGain(percent), 10);
		expect(volumeDecibels(50)).toBeCloseTo(-12.04, 2);
	});
});

test("every player follows one volume, until it ends that", () => {
	const volume = new Volume(settings());
	const heard: number[][] = [[], []];
	const end = volume.follow((percent) => heard[0]?.push(percent));
	volume.follow((percent) => heard[1]?.push(percent));
	volume.set(20);
	end();
	volume.set(130);
	expect(heard).toEqual([
		[70, 20],
		[70, 20, 100],
	]);
	expect(new Volume(settings()).percent).toBe(100);
});

describe("Es8311", () => {
	const options = { bus: BUS, timers, sampleRate: 48000, masterClock: true };

	test("resets the codec, then powers it, silent at first", () => {
		const { writes, registers } = addChip(0x18);
		new Es8311(options);
		expect(made.buses[0]?.options).toEqual({ data: 1, clock: 2, address: 0x18, hz: 100_000 });
		expect(writes.slice(0, 3)).toEqual([
			[0, 0x1f],
			[0, 0x00],
			[0, 0x80],
		]);
		expect([0x09, 0x0d, 0x12, 0x13, 0x32].map((register) => registers.get(register))).toEqual([0x0c, 0x01, 0x00, 0x10, 0]);
	});

	test.each([
		[true, 48000, 0x3f, 0x00, 0x10],
		[false, 48000, 0xbf, 0x18, 0x10],
		[true, 16000, 0x3f, 0x00, 0x20],
	])("takes its clock from MCLK: %p at %p Hz", (masterClock, sampleRate, source, multiplier, oversampling) => {
		const { registers } = addChip(0x18);
		new Es8311({ bus: BUS, timers, sampleRate, masterClock });
		expect([1, 2, 4].map((register) => registers.get(register))).toEqual([source, multiplier, oversampling]);
	});

	test.each([
		[0, 0xbf],
		[-0.5, 0xbe],
		[-12.04, 0xa7],
		[-95.5, 0],
		[Number.NEGATIVE_INFINITY, 0],
		[6, 0xbf],
	])("makes of %p dB the register value %p", (decibels, value) => {
		const { registers } = addChip(0x18);
		new Es8311(options).setLevel(decibels);
		expect(registers.get(0x32)).toBe(value);
	});

	test("says which address does not answer, and lets go of the bus and of its amplifier", () => {
		const amplifier = new GpioAmplifier({ io: FakeDigital, pin: 13 });
		expect(() => new Es8311({ ...options, amplifier })).toThrow("nothing answers at I2C address 0x18: write failed");
		expect(made.buses.map(({ closed }) => closed)).toEqual([1]);
		expect(made.digitals.map(({ closed }) => closed)).toEqual([1]);
	});

	test("is silent and without power when it is closed, twice, also when it no longer answers", () => {
		const { registers } = addChip(0x18);
		const codec = new Es8311(options);
		codec.setLevel(0);
		codec.close();
		codec.close();
		codec.setLevel(0);
		expect([0x32, 0x12, 0x0d].map((register) => registers.get(register))).toEqual([0, 0x02, 0xfa]);
		expect(made.buses[0]?.closed).toBe(1);
		const lost = new Es8311(options);
		chips.clear();
		lost.close();
		expect(made.buses[1]?.closed).toBe(1);
	});
});

describe("EchoBaseAmplifier", () => {
	test("is off at first and when it is closed", () => {
		const { registers } = addChip(0x43);
		const amplifier = new EchoBaseAmplifier({ bus: BUS });
		expect([3, 5, 7].map((register) => registers.get(register))).toEqual([0x6e, 0, 0]);
		amplifier.setPower(true);
		expect(registers.get(5)).toBe(0xff);
		amplifier.close();
		amplifier.close();
		amplifier.setPower(true);
		expect([registers.get(5), made.buses[0]?.closed]).toEqual([0, 1]);
	});

	test("says that the base does not answer, and lets go of the bus", () => {
		expect(() => new EchoBaseAmplifier({ bus: BUS })).toThrow("0x43");
		expect(made.buses[0]?.closed).toBe(1);
	});
});

describe("Aw88298", () => {
	test.each([
		[0, 0x0064],
		[-12.04, 0x1864],
		[-96, 0xc064],
		[Number.NEGATIVE_INFINITY, 0xc064],
		[3, 0x0064],
	])("makes of %p dB the register value %p", (decibels, value) => {
		const { registers } = addChip(0x36);
		new Aw88298({ bus: BUS }).setLevel(decibels);
		expect(registers.get(0x0c)).toBe(value);
	});

	test("begins silent, and takes the sample rates that it knows", () => {
		const { registers } = addChip(0x36);
		const amplifier = new Aw88298({ bus: BUS });
		expect(registers.get(0x0c)).toBe(0xc064);
		amplifier.sampleRate = 48000;
		expect(registers.get(0x06)).toBe(0x14c8);
		amplifier.sampleRate = 8000;
		expect(registers.get(0x06)).toBe(0x14c0);
		expect(() => {
			amplifier.sampleRate = 9000;
		}).toThrow(RangeError);
		amplifier.setLevel(0);
		amplifier.close();
		amplifier.close();
		expect([registers.get(0x0c), made.buses[0]?.closed]).toEqual([0xc064, 1]);
	});

	test("says that it does not answer", () => {
		expect(() => new Aw88298({ bus: BUS })).toThrow("0x36");
	});
});

test("PdmAmplifier routes the inverted signal to the second pin", () => {
	const amplifier = new PdmAmplifier({ io: FakeDigital, ffi: FakeFfi, pin: 3, invertedPin: 7 });
	expect(made.natives).toEqual(["gpio_set_direction 7,2", "esp_rom_gpio_connect_out_signal 7,15,1,0", "gpio_set_drive_capability 7,0"]);
	expect([made.digitals[0]?.options.pin, made.digitals[0]?.level]).toEqual([3, 0]);
	amplifier.close();
});

describe("a speaker with an amplifier", () => {
	test("switches it on for the sound only, and closes it", () => {
		jest.useFakeTimers();
		const speaker = new I2sSpeaker({ io: FakeAudioOut, timers, settings: settings(), amplifier: new GpioAmplifier({ io: FakeDigital, pin: 13 }) });
		const pin = made.digitals[0];
		expect(pin?.level).toBe(0);
		speaker.playTone(440, 100);
		expect(pin?.level).toBe(1);
		for (let i = 0; i < 100; i++) made.audio[0]?.drain(4092);
		jest.advanceTimersByTime(1000);
		expect(pin?.level).toBe(0);
		speaker.close();
		speaker.close();
		expect(pin?.closed).toBe(1);
		jest.useRealTimers();
	});

	test("leaves the samples whole where the amplifier sets the loudness", () => {
		const { registers } = addChip(0x18);
		const amplifier = new Es8311({ bus: BUS, timers, sampleRate: 48000, masterClock: true });
		const speaker = new I2sSpeaker({ io: FakeAudioOut, timers, settings: settings(), amplifier });
		expect(registers.get(0x32)).toBe(0xbf + Math.round(2 * volumeDecibels(70)));
		speaker.setVolume(0);
		expect(registers.get(0x32)).toBe(0);
		speaker.setVolume(100);
		speaker.playTone(440, 100);
		expect([registers.get(0x32), made.audio[0]?.volume]).toEqual([0xbf, 1]);
		speaker.close();
	});

	test("begins with the silence that it needs to wake", () => {
		const speaker = new I2sSpeaker({ io: FakeAudioOut, timers, settings: settings(), leadMs: 10 });
		speaker.playTone(440, 10);
		made.audio[0]?.drain(4092);
		const samples = made.audio[0]?.samples ?? [];
		expect(samples.slice(0, 480).every((sample) => sample === 0)).toBe(true);
		expect(samples[480]).toBe(16000);
		speaker.close();
	});

	test("follows a volume that another player has changed", () => {
		const volume = new Volume(settings());
		const speaker = new I2sSpeaker({ io: FakeAudioOut, timers, settings: volume });
		speaker.playTone(440, 10_000);
		volume.set(50);
		expect([speaker.volume, made.audio[0]?.volume]).toEqual([50, 0.25]);
		speaker.close();
		volume.set(60);
	});
});
