// "embedded:io/audio/out": takes samples at the rate at which they would play, and shows what would be heard.

import { show } from "simulator/panel";
import Timer from "timer";

/** What the driver of an ESP32 buffers: five DMA buffers. */
const BUFFER_BYTES = 20_460;
const STEP_MS = 20;
/** The pitch is taken from so many samples at a time; for low tones from up to four times as many. */
const WINDOW_SAMPLES = 2400;
/** Two pitches closer than this are one. */
const PITCH_TOLERANCE = 0.03;

export interface AudioOutOptions {
	sampleRate?: number;
	channels?: number;
	bitsPerSample?: number;
	onWritable?: (byteLength: number) => void;
	target?: unknown;
}

/** Shows `{frequency, gain}` as part `sound`: in hertz, 0 is silence, and the gain from 0 to 1. */
export default class AudioOut {
	target: unknown;
	readonly sampleRate: number;
	readonly channels: number;
	readonly bitsPerSample: number;
	readonly #onWritable: ((byteLength: number) => void) | undefined;
	readonly #frameBytes: number;
	#volume = 1;
	#queued = 0;
	#timer: ReturnType<typeof Timer.repeat> | undefined;
	#closed = false;
	#frequency: number | undefined;
	#window = { samples: 0, peak: 0, last: 0, rises: 0, first: 0, latest: 0 };

	/** @throws RangeError for a format that the driver does not have */
	constructor(options: AudioOutOptions) {
		const { sampleRate = 24_000, channels = 1, bitsPerSample = 16 } = options;
		if (!(sampleRate >= 8000 && sampleRate <= 48_000)) throw new RangeError("invalid sample rate");
		if (channels !== 1 && channels !== 2) throw new RangeError("invalid channels");
		if (bitsPerSample !== 16 && bitsPerSample !== 8) throw new RangeError("invalid bits per sample");
		this.sampleRate = sampleRate;
		this.channels = channels;
		this.bitsPerSample = bitsPerSample;
		this.#frameBytes = (channels * bitsPerSample) / 8;
		this.#onWritable = options.onWritable;
		this.target = options.target;
	}

	get volume(): number {
		return this.#volume;
	}

	set volume(value: number) {
		if (!(value >= 0 && value <= 1)) throw new RangeError("invalid volume");
		this.#volume = value;
		if (this.#frequency !== undefined) this.#show();
	}

	start(): void {
		this.#check();
		if (this.#timer !== undefined) return;
		this.#timer = Timer.set(() => this.#step(), 0, STEP_MS);
	}

	stop(): void {
		this.#check();
		this.#halt();
	}

	/** @throws Error when it is more than `onWritable` gave, or no whole samples */
	write(samples: ArrayBuffer | Uint8Array | Int16Array): void {
		this.#check();
		const { byteLength } = samples;
		if (byteLength % this.#frameBytes) throw new Error("full samples only");
		if (byteLength > BUFFER_BYTES - this.#queued) throw new Error("insufficient space");
		this.#queued += byteLength;
		if (this.bitsPerSample !== 16) return;
		const view = samples instanceof ArrayBuffer ? new DataView(samples) : new DataView(samples.buffer, samples.byteOffset, byteLength);
		for (let offset = 0; offset < byteLength; offset += this.#frameBytes) this.#listen(view.getInt16(offset, true));
	}

	close(): void {
		if (this.#closed) return;
		this.#halt();
		this.#closed = true;
	}

	#check(): void {
		if (this.#closed) throw new Error("audio out: closed");
	}

	#step(): void {
		const played = Math.round((this.sampleRate * STEP_MS) / 1000) * this.#frameBytes;
		this.#queued = Math.max(0, this.#queued - played);
		const room = BUFFER_BYTES - this.#queued;
		this.#onWritable?.call(this, room - (room % this.#frameBytes));
	}

	#halt(): void {
		if (this.#timer !== undefined) Timer.clear(this.#timer);
		this.#timer = undefined;
		this.#queued = 0;
		this.#hear(undefined);
	}

	#listen(sample: number): void {
		const window = this.#window;
		if (window.last < 0 && sample >= 0) {
			if (window.rises++ === 0) window.first = window.samples;
			window.latest = window.samples;
		}
		window.last = sample;
		window.peak = Math.max(window.peak, Math.abs(sample));
		window.samples++;
		if (window.samples < WINDOW_SAMPLES || (window.peak > 0 && window.rises < 2 && window.samples < 4 * WINDOW_SAMPLES)) return;
		if (window.peak === 0) this.#hear(undefined);
		else if (window.rises > 1) this.#hear(((window.rises - 1) * this.sampleRate) / (window.latest - window.first));
		this.#window = { samples: 0, peak: 0, last: window.last, rises: 0, first: 0, latest: 0 };
	}

	#hear(frequency: number | undefined): void {
		const before = this.#frequency;
		if (frequency === before) return;
		if (frequency !== undefined && before !== undefined && Math.abs(frequency - before) < before * PITCH_TOLERANCE) return;
		this.#frequency = frequency === undefined ? undefined : Math.round(frequency);
		this.#show();
	}

	#show(): void {
		show("sound", { frequency: this.#frequency ?? 0, gain: Math.round(this.#volume * 1000) / 1000 });
	}
}
