// A loudspeaker.

/** A part of a melody. */
export interface Tone {
	/** In hertz; 0 is silence. */
	readonly frequency: number;
	/** In milliseconds. */
	readonly duration: number;
}

/** A loudspeaker. */
export interface Speaker {
	/** 0 to 100, an integer. */
	readonly volume: number;
	/** @param volume 0 to 100; kept across restarts. */
	setVolume(volume: number): void;
	/**
	 * Plays a tone without waiting for its end; a tone that is still playing is replaced.
	 * @param frequency in hertz
	 * @param duration in milliseconds
	 */
	playTone(frequency: number, duration: number): void;
	/** Like `playTone`, for several tones one after the other. */
	playTones(tones: readonly Tone[]): void;
	close(): void;
}
