// A loudspeaker behind an I2S amplifier or codec (such as the MAX98357A, which has no volume of its own), or at a PDM output;
// the pins and the format are in the board's manifest under `defines.audioOut`.

import { Timeout, type Timers } from "../base/timers.js";
import type { Speaker, Tone } from "../hardware/speaker.js";
import type { AudioOutConstructor, AudioOutput } from "../sdk/audio-out.js";
import type { PreferenceStore } from "../settings/preference-store.js";
import type { Amplifier } from "./amplifier.js";
import { clamp } from "./clamp.js";
import { Volume, volumeDecibels, volumeGain } from "./volume.js";

export interface I2sSpeakerOptions {
	/** Moddable's audio output, `sdk/audio-out`. */
	io: AudioOutConstructor;
	timers: Timers;
	/** Where the volume is kept, or the volume itself where other players share it. */
	settings: PreferenceStore | Volume;
	/** In hertz, 8000 to 48000; 48000 by default, enough for tones up to 24 kHz. */
	sampleRate?: number;
	/** 0 to 100, when none has been kept; 70 by default. */
	volume?: number;
	/** Switched on while something sounds; the speaker closes it. */
	amplifier?: Amplifier | undefined;
	/** Silence before a tone in milliseconds, for amplifiers that need time to wake up; 0 by default. */
	leadMs?: number;
	/** Does the chip play 16-bit mono samples swapped in pairs, as the first ESP32 does? Then they are written so. */
	swapped?: boolean;
}

/** How many samples of a tone are computed at most; the tone repeats them. */
const MAX_PATTERN_SAMPLES = 2400;
/** The amplitude of a tone at full volume, of 32767. */
const AMPLITUDE = 16000;
/** The longest tone. */
const MAX_TONE_MS = 3_600_000;
/** Silence after a tone: the SDK's output plays nothing before a DMA buffer (4 KB) is full. */
const TAIL_MS = 200;
/** From the last write until the DMA buffers (20 KB) have been played and the output can be closed. */
const DRAIN_MS = 500;

/** Opens its I2S channel to play something and closes it afterwards. */
export class I2sSpeaker implements Speaker {
	readonly #io: AudioOutConstructor;
	readonly #volume: Volume;
	readonly #sampleRate: number;
	readonly #amplifier: Amplifier | undefined;
	readonly #leadMs: number;
	/** How many samples are written together. */
	readonly #group: 1 | 2;
	readonly #unfollow: () => void;
	/** Until everything that was written has been played. */
	readonly #drain: Timeout;
	#output: AudioOutput | undefined;
	/** What is still to be played after `#pattern`. */
	#tones: readonly Tone[] = [];
	#next = 0;
	/** Repeated until `#bytes` have been written. */
	#pattern: Uint8Array | undefined;
	#frequency = 0;
	/** Where in the pattern the next sample is, in bytes. */
	#offset = 0;
	#bytes = 0;
	#closed = false;

	/** @throws what the amplifier throws when it cannot be set */
	constructor(options: I2sSpeakerOptions) {
		const { io, timers, settings, sampleRate = 48000, amplifier, leadMs = 0, swapped = false } = options;
		this.#io = io;
		this.#drain = new Timeout(timers);
		this.#sampleRate = sampleRate;
		this.#amplifier = amplifier;
		this.#leadMs = leadMs;
		this.#group = swapped ? 2 : 1;
		this.#volume = settings instanceof Volume ? settings : new Volume(settings, options.volume);
		this.#unfollow = this.#volume.follow((percent) => this.#apply(percent));
	}

	get volume(): number {
		return this.#volume.percent;
	}

	setVolume(volume: number): void {
		this.#volume.set(volume);
	}

	/** @throws what the IO throws when its channel or memory is not available */
	playTone(frequency: number, duration: number): void {
		this.playTones([{ frequency, duration }]);
	}

	/** @throws what the IO throws when its channel or memory is not available */
	playTones(tones: readonly Tone[]): void {
		if (this.#closed) return;
		this.#stop();
		this.#tones = [{ frequency: 0, duration: this.#leadMs }, ...tones, { frequency: 0, duration: TAIL_MS }];
		const output = new this.#io({
			sampleRate: this.#sampleRate,
			channels: 1,
			bitsPerSample: 16,
			onWritable: (byteLength) => this.#fill(byteLength),
		});
		this.#output = output;
		this.#apply(this.#volume.percent);
		output.start();
		this.#amplifier?.setPower(true);
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#unfollow();
		this.#stop();
		this.#amplifier?.close();
	}

	#apply(percent: number): void {
		const amplifier = this.#amplifier;
		if (amplifier?.setLevel) amplifier.setLevel(volumeDecibels(percent));
		else if (this.#output) this.#output.volume = volumeGain(percent);
	}

	/** Prepares the next tone. */
	#advance(): boolean {
		const tone = this.#tones[this.#next];
		if (!tone) return false;
		this.#next++;
		this.#bytes = this.#groups((this.#sampleRate * clamp(tone.duration, 0, MAX_TONE_MS)) / 1000) * 2;
		const frequency = tone.frequency > 0 ? clamp(tone.frequency, 20, this.#sampleRate / 2) : 0;
		if (!this.#pattern || frequency !== this.#frequency) {
			this.#pattern = frequency ? this.#createPattern(frequency) : new Uint8Array(MAX_PATTERN_SAMPLES);
			this.#frequency = frequency;
		}
		this.#offset = 0;
		return true;
	}

	/** As many whole waves as fit, so that the pattern joins itself without a click. */
	#createPattern(frequency: number): Uint8Array {
		const waves = Math.max(1, Math.floor((MAX_PATTERN_SAMPLES * frequency) / this.#sampleRate));
		const length = Math.max(2, this.#groups((waves * this.#sampleRate) / frequency));
		const samples = new Int16Array(length);
		const step = (2 * Math.PI * waves) / length;
		// A cosine: at half the sample rate a sine would be sampled at its zeros only.
		const swap = this.#group - 1;
		for (let i = 0; i < length; i++) samples[i ^ swap] = AMPLITUDE * Math.cos(step * i);
		return new Uint8Array(samples.buffer);
	}

	/** The nearest number of samples that is written whole. */
	#groups(samples: number): number {
		return Math.round(samples / this.#group) * this.#group;
	}

	#fill(byteLength: number): void {
		const output = this.#output;
		if (!output || this.#drain.pending) return;
		// The output takes whole samples only.
		let room = byteLength - (byteLength % (2 * this.#group));
		while (room > 0) {
			if (this.#bytes === 0) {
				if (this.#advance()) continue;
				this.#drain.set(DRAIN_MS, () => this.#stop());
				return;
			}
			const pattern = this.#pattern as Uint8Array;
			const count = Math.min(room, this.#bytes, pattern.byteLength - this.#offset);
			output.write(pattern.subarray(this.#offset, this.#offset + count));
			this.#offset = (this.#offset + count) % pattern.byteLength;
			this.#bytes -= count;
			room -= count;
		}
	}

	#stop(): void {
		this.#drain.clear();
		const output = this.#output;
		this.#output = undefined;
		if (output) {
			try {
				this.#amplifier?.setPower(false);
			} catch {
				// An amplifier that no longer answers must not keep the channel.
			}
			output.close();
		}
		this.#pattern = undefined;
		this.#tones = [];
		this.#next = 0;
		this.#bytes = 0;
	}
}
