// A loudspeaker that is seen instead of heard.

import { Timeout, type Timers } from "base/timers";
import { clampInteger } from "drivers/clamp";
import type { Speaker, Tone } from "hardware/speaker";
import type { PreferenceStore } from "settings/preference-store";
import type { Show } from "./panel.js";

const DEFAULT_VOLUME = 70;

export interface SimulatedSpeakerOptions {
	show: Show;
	timers: Timers;
	settings: PreferenceStore;
}

/** Keeps its volume; shows `{volume}`, and what is heard as part `sound`: `{frequency, gain}`, 0 Hz while it is silent. */
export class SimulatedSpeaker implements Speaker {
	readonly #settings: PreferenceStore;
	readonly #panel: Show;
	readonly #end: Timeout;
	#volume: number;
	#tone: Tone | undefined;
	/** The frequency that was shown last. */
	#heard = 0;

	constructor({ show, timers, settings }: SimulatedSpeakerOptions) {
		this.#panel = show;
		this.#end = new Timeout(timers);
		this.#settings = settings;
		this.#volume = settings.integer("volume", 0, 100, DEFAULT_VOLUME);
		this.#show();
	}

	get volume(): number {
		return this.#volume;
	}

	/** The tone that is playing. */
	get tone(): Tone | undefined {
		return this.#tone;
	}

	setVolume(volume: number): void {
		this.#volume = clampInteger(volume, 0, 100);
		this.#show();
		this.#settings.set("volume", this.#volume);
	}

	playTone(frequency: number, duration: number): void {
		this.playTones([{ frequency, duration }]);
	}

	playTones(tones: readonly Tone[]): void {
		this.#silence();
		const [tone, ...rest] = tones;
		if (tone) {
			if (tone.frequency > 0) this.#tone = tone;
			this.#end.set(tone.duration, () => this.playTones(rest));
		}
		this.#show();
	}

	close(): void {
		if (!this.#end.pending) return;
		this.#silence();
		this.#show();
	}

	#silence(): void {
		this.#end.clear();
		this.#tone = undefined;
	}

	#show(): void {
		this.#panel("speaker", { volume: this.#volume });
		const frequency = this.#tone?.frequency ?? 0;
		if (frequency !== this.#heard) this.#panel("sound", { frequency, gain: 1 });
		this.#heard = frequency;
	}
}
