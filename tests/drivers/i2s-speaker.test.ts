// The driver for an I2S amplifier on a fake of Moddable's audio output.

import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { I2sSpeaker } from "drivers/i2s-speaker";
import { PreferenceStore } from "settings/preference-store";
import { FakeAudioOut, made, timers } from "../fakes/moddable.js";
import { speakerContract } from "../hardware/speaker-contract.js";

/** The frequency of samples by their zero crossings; undefined for silence. */
function pitch(samples: readonly number[], sampleRate: number): number | undefined {
	const rises: number[] = [];
	for (let i = 1; i < samples.length; i++) if ((samples[i - 1] as number) < 0 && (samples[i] as number) >= 0) rises.push(i);
	const first = rises[0];
	const last = rises.at(-1);
	return first === undefined || last === undefined || first === last ? undefined : ((rises.length - 1) * sampleRate) / (last - first);
}

speakerContract(
	"I2sSpeaker",
	(domain) => new PreferenceStore(domain),
	(settings) => ({
		speaker: (() => {
			FakeAudioOut.live = true;
			return new I2sSpeaker({ io: FakeAudioOut, timers, settings });
		})(),
		sounding() {
			const output = made.audio.at(-1);
			if (!output || output.closed) return undefined;
			output.samples = [];
			output.drain(20_460);
			return pitch(output.samples, output.options.sampleRate);
		},
	}),
);

beforeEach(() => {
	jest.useFakeTimers();
	made.audio.length = 0;
	FakeAudioOut.live = false;
});
afterEach(() => {
	jest.useRealTimers();
});

function play(frequency: number, duration: number, room: number): { speaker: I2sSpeaker; output: FakeAudioOut } {
	const speaker = new I2sSpeaker({ io: FakeAudioOut, timers, settings: new PreferenceStore("speaker-test") });
	speaker.playTone(frequency, duration);
	const output = made.audio.at(-1) as FakeAudioOut;
	for (let i = 0; i < 2000; i++) output.drain(room);
	return { speaker, output };
}

test.each([440, 1000, 12_345, 19_999])("writes samples of %p Hz swapped in pairs for a chip that swaps them", (frequency) => {
	const heard = (swapped: boolean) => {
		const speaker = new I2sSpeaker({ io: FakeAudioOut, timers, settings: new PreferenceStore("speaker-test"), swapped });
		speaker.playTones([
			{ frequency, duration: 101 },
			{ frequency: 0, duration: 33 },
			{ frequency: 500, duration: 57 },
		]);
		const output = made.audio.at(-1) as FakeAudioOut;
		// No room that the output ever has lets a pair be torn apart.
		for (let i = 0; i < 3000; i++) output.drain(i % 2 ? 4090 : 1022);
		speaker.close();
		const { samples } = output;
		// What the chip makes of it.
		return swapped ? samples.map((_, i) => samples[i ^ 1] ?? 0) : samples;
	};
	const plain = heard(false);
	const swapped = heard(true);
	expect(Math.abs(swapped.length - plain.length)).toBeLessThanOrEqual(8);
	const ms = 48;
	for (const [from, to] of [
		[0, 101 * ms],
		[134 * ms, 191 * ms],
	] as const)
		expect((pitch(swapped.slice(from, to), 48_000) as number) / (pitch(plain.slice(from, to), 48_000) as number)).toBeCloseTo(1, 3);
	// A pair that stayed swapped would be a step that no wave of this pitch makes.
	const steepest = (samples: number[]) =>
		Math.max(...samples.slice(0, 101 * ms - 4).map((sample, i) => Math.abs((samples[i + 1] as number) - sample)));
	expect(steepest(swapped)).toBeLessThanOrEqual(steepest(plain) * 1.01 + 2);
	expect(new Set(swapped.slice(102 * ms, 133 * ms))).toEqual(new Set([0]));
});

test("opens no output before something is to be heard, and closes it afterwards", () => {
	new I2sSpeaker({ io: FakeAudioOut, timers, settings: new PreferenceStore("speaker-test") });
	expect(made.audio).toHaveLength(0);
	const { output } = play(440, 100, 4092);
	expect(output.started).toBe(true);
	expect(output.closed).toBe(0);
	jest.advanceTimersByTime(1000);
	expect(output.closed).toBe(1);
	expect(jest.getTimerCount()).toBe(0);
});

test.each([
	[20, 200],
	[440, 10],
	[440, 1000],
	[1000, 333],
	[12_345, 100],
	[20_000, 10],
])("plays %p Hz for %p ms, to the sample and followed by silence", (frequency, duration) => {
	const { output } = play(frequency, duration, 4092);
	const count = Math.round(48 * duration);
	const tone = output.samples.slice(0, count);
	expect(Math.max(...tone.map(Math.abs))).toBe(16000);
	const heard = pitch(tone, 48_000) as number;
	if (frequency < 1000 / duration) expect(heard).toBeUndefined();
	else expect(Math.abs(heard - frequency) / frequency).toBeLessThan(0.01);
	// The driver holds back what does not fill its buffer of 4092 bytes, so at least that much silence has to follow.
	expect(output.samples.length - count).toBeGreaterThanOrEqual(2046);
	expect(output.samples.slice(count).every((sample) => sample === 0)).toBe(true);
});

test.each([1, 2, 3, 1023, 4092])("joins the waves without a jump when %p bytes fit at a time", (room) => {
	const { output } = play(440, 20, room);
	const tone = output.samples.slice(0, Math.min(960, output.samples.length));
	const steepest = (16000 * 2 * Math.PI * 440) / 48_000;
	for (let i = 1; i < tone.length; i++) expect(Math.abs((tone[i] as number) - (tone[i - 1] as number))).toBeLessThan(steepest * 1.05);
});

test("applies the volume to a tone that sounds, and silence at 0", () => {
	const { speaker, output } = play(440, 10_000, 100);
	speaker.setVolume(100);
	expect(output.volume).toBe(1);
	speaker.setVolume(50);
	expect(output.volume).toBeCloseTo(0.25);
	speaker.setVolume(0);
	expect(output.volume).toBe(0);
});

test("ignores room that is reported after it was closed", () => {
	const { speaker, output } = play(440, 10_000, 100);
	speaker.close();
	const written = output.samples.length;
	output.drain(4092);
	expect(output.samples).toHaveLength(written);
	speaker.playTone(440, 10);
	expect(made.audio).toHaveLength(1);
});
