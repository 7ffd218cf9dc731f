// A loudspeaker that is seen instead of heard.

import { clampInteger } from "drivers/clamp";
import type { Speaker, Tone } from "hardware/speaker";
import type { PreferenceStore } from "settings/preference-store";
import { show } from "simulator/panel";
import Timer from "timer";

const DEFAULT_VOLUME = 70;

/** Keeps its volume; shows `{volume, tone}`, the tone only as long as it sounds. */
export class SimulatedSpeaker implements Speaker {
	readonly #settings: PreferenceStore;
	#volume: number;
	#tone: Tone | undefined;
	#timer: ReturnType<typeof Timer.set> | undefined;

	constructor(settings: PreferenceStore) {
		this.#settings = settings;
		this.#volume = settings.integer("volume", 0, 100, DEFAULT_VOLUME);
		this.#show();
	}

	get volume(): number {
		return this.#volume;
	}

	/** The tone that sounds now. */
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
			this.#timer = Timer.set(() => {
				this.#timer = undefined;
				this.playTones(rest);
			}, tone.duration);
		}
		this.#show();
	}

	close(): void {
		if (this.#timer === undefined) return;
		this.#silence();
		this.#show();
	}

	#silence(): void {
		if (this.#timer !== undefined) Timer.clear(this.#timer);
		this.#timer = undefined;
		this.#tone = undefined;
	}

	#show(): void {
		const state: { volume: number; tone?: { frequency: number; duration: number } } = { volume: this.#volume };
		if (this.#tone) state.tone = { frequency: this.#tone.frequency, duration: this.#tone.duration };
		show("speaker", state);
	}
}
