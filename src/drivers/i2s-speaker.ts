// A loudspeaker behind an amplifier with I2S input and no volume of its own (such as the MAX98357A), on Moddable's
// `embedded:io/audio/out`; the pins and the format stand in the board's manifest under `defines.audioOut`.

import AudioOut from "embedded:io/audio/out";
import Timer from "timer";
import type { Speaker } from "../hardware/hardware.js";
import type { Settings } from "../system/settings.js";
import { clamp, clampInteger } from "./clamp.js";

export interface I2sSpeakerOptions {
	/** Where the volume is kept. */
	settings: Settings;
	/** In hertz, 8000 to 48000; 48000 where it is not given, which carries tones up to 24 kHz. */
	sampleRate?: number;
	/** 0 to 100, where none has been kept; 70 where it is not given. */
	volume?: number;
}

/** The most samples of a tone that are computed; a tone repeats them. */
const MAX_PATTERN_SAMPLES = 2400;
/** The height of a tone at full volume, of 32767. */
const AMPLITUDE = 16000;
/** Silence after a tone: the driver plays nothing before a DMA buffer (4 KB) is full. */
const TAIL_MS = 200;
/** From the last write until everything has left the DMA buffers (20 KB), and the output can be closed. */
const DRAIN_MS = 500;

/** Opens its I2S channel when something is to be heard and closes it afterwards. */
export class I2sSpeaker implements Speaker {
	readonly #settings: Settings;
	readonly #sampleRate: number;
	#volume: number;
	#output: AudioOut | undefined;
	#pattern: Uint8Array | undefined;
	/** Where in the pattern the next sample is, in bytes. */
	#offset = 0;
	/** How many bytes of the tone and of the silence after it are still to be written. */
	#toneBytes = 0;
	#tailBytes = 0;
	#idle: ReturnType<typeof Timer.set> | undefined;
	#closed = false;

	constructor(options: I2sSpeakerOptions) {
		this.#settings = options.settings;
		this.#sampleRate = options.sampleRate ?? 48000;
		this.#volume = options.settings.integer("volume", 0, 100, options.volume ?? 70);
	}

	get volume(): number {
		return this.#volume;
	}

	setVolume(volume: number): void {
		this.#volume = clampInteger(volume, 0, 100);
		if (this.#output) this.#output.volume = this.#gain;
		this.#settings.set("volume", this.#volume);
	}

	/** @throws what the I2S driver throws when its channel or memory cannot be had */
	playTone(frequency: number, duration: number): void {
		if (this.#closed) return;
		this.#stop();
		this.#pattern = this.#createPattern(clamp(frequency, 20, this.#sampleRate / 2));
		this.#offset = 0;
		this.#toneBytes = this.#bytes(duration);
		this.#tailBytes = this.#bytes(TAIL_MS);
		const output = new AudioOut({
			sampleRate: this.#sampleRate,
			channels: 1,
			bitsPerSample: 16,
			onWritable: (byteLength) => this.#fill(byteLength),
		});
		this.#output = output;
		output.volume = this.#gain;
		output.start();
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#stop();
	}

	/** The volume as a factor from 0 to 1; squared, because ears hear ratios. */
	get #gain(): number {
		return (this.#volume / 100) ** 2;
	}

	#bytes(milliseconds: number): number {
		return Math.round((this.#sampleRate * milliseconds) / 1000) * 2;
	}

	/** As many whole waves as fit, so that the pattern joins itself without a click. */
	#createPattern(frequency: number): Uint8Array {
		const waves = Math.max(1, Math.floor((MAX_PATTERN_SAMPLES * frequency) / this.#sampleRate));
		const length = Math.max(2, Math.round((waves * this.#sampleRate) / frequency));
		const samples = new Int16Array(length);
		const step = (2 * Math.PI * waves) / length;
		// From a quarter wave on: at half the sample rate a sine that begins with 0 would be silence.
		for (let i = 0; i < length; i++) samples[i] = AMPLITUDE * Math.cos(step * i);
		return new Uint8Array(samples.buffer);
	}

	#fill(byteLength: number): void {
		const output = this.#output;
		const pattern = this.#pattern;
		if (!output || !pattern) return;
		// The driver takes whole samples only.
		let room = byteLength - (byteLength % 2);
		while (room > 0 && this.#toneBytes > 0) {
			const count = Math.min(room, this.#toneBytes, pattern.byteLength - this.#offset);
			output.write(pattern.subarray(this.#offset, this.#offset + count));
			this.#offset = (this.#offset + count) % pattern.byteLength;
			this.#toneBytes -= count;
			room -= count;
		}
		if (room > 0 && this.#tailBytes > 0) {
			const count = Math.min(room, this.#tailBytes);
			output.write(new Uint8Array(count));
			this.#tailBytes -= count;
			if (this.#tailBytes === 0) this.#idle = Timer.set(() => this.#stop(), DRAIN_MS);
		}
	}

	#stop(): void {
		if (this.#idle !== undefined) {
			Timer.clear(this.#idle);
			this.#idle = undefined;
		}
		// The SDK's typing leaves out `close`, which every ECMA-419 IO has.
		(this.#output as unknown as { close(): void } | undefined)?.close();
		this.#output = undefined;
		this.#pattern = undefined;
	}
}
