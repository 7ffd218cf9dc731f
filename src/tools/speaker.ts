// Tools of a board with a loudspeaker.

import type { Speaker, Tone } from "../hardware/speaker.js";
import { ToolError } from "../mcp/content.js";
import { integer, string } from "../mcp/schema.js";
import { ACTS, defineTool, SETS } from "../mcp/tool.js";

interface WithSpeaker {
	readonly speaker: Speaker;
}

/** `self.audio_speaker.set_volume` */
export const setVolume = defineTool({
	name: "self.audio_speaker.set_volume",
	title: { zh: "扬声器：设置音量" },
	description: {
		en: "Sets the volume of the audio speaker. If the current volume is unknown and the request is relative (louder, quieter), call self.get_device_status first.",
		zh: "设置扬声器的音量。如果不知道当前音量，而要求是相对的（更大声、更小声），请先调用 self.get_device_status。",
	},
	properties: {
		volume: integer({
			description: { en: "The new volume in percent: 0 is silent, 100 is the loudest", zh: "新的音量，百分比：0 为静音，100 为最大" },
			minimum: 0,
			maximum: 100,
		}),
	},
	annotations: SETS,
	needs: ["speaker"],
	call({ volume }, board: WithSpeaker) {
		board.speaker.setVolume(volume);
		return true;
	},
});

/** `self.audio_speaker.play_tone` */
export const playTone = defineTool({
	name: "self.audio_speaker.play_tone",
	title: { zh: "扬声器：播放一个音" },
	description: {
		en: "Plays one tone on the audio speaker. Returns at once, while it plays; a tone that is still playing is replaced.",
		zh: "用扬声器播放一个音。立即返回，声音随后播放；正在播放的音会被取代。",
	},
	properties: {
		frequency: integer({
			description: { en: "The pitch in hertz, for example 440 for the A above middle C", zh: "音高，单位为赫兹，例如中央 C 上方的 A 为 440" },
			minimum: 20,
			maximum: 20000,
		}),
		duration: integer({ description: { en: "How long it plays, in milliseconds", zh: "播放多久，单位为毫秒" }, minimum: 10, maximum: 10000 }),
	},
	annotations: ACTS,
	needs: ["speaker"],
	call({ frequency, duration }, board: WithSpeaker) {
		board.speaker.playTone(frequency, duration);
		return true;
	},
});

/** The most notes of a melody. */
const MAX_NOTES = 64;
/** The longest note. */
const MAX_NOTE_MS = 4000;
/** The silence at the end of a note, which keeps two equal notes apart. */
const GAP_MS = 20;
/** Semitones above C. */
const SEMITONES: { readonly [letter: string]: number } = Object.freeze({ C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 });

/** `self.audio_speaker.play_melody` */
export const playMelody = defineTool({
	name: "self.audio_speaker.play_melody",
	title: { zh: "扬声器：播放旋律" },
	description: {
		en: "Plays a short melody on the audio speaker. Returns at once, while it plays; a tone or melody that is still playing is replaced.",
		zh: "用扬声器播放一段短旋律。立即返回，声音随后播放；正在播放的音或旋律会被取代。",
	},
	properties: {
		notes: string({
			description: {
				en:
					"Up to 64 notes with spaces between them. A note is a letter A to G, # or b if needed, and an octave 1 to 8 (A4 is 440 Hz); R is a rest. " +
					"A colon and milliseconds after a note set its own length. Example: C4 C4 G4 G4 A4 A4 G4:800",
				zh: "最多 64 个音符，用空格隔开。音符为字母 A 到 G，需要时加 # 或 b，再加八度 1 到 8（A4 为 440 Hz）；R 为休止符。音符后加冒号和毫秒数可单独指定长度。例如：C4 C4 G4 G4 A4 A4 G4:800",
			},
			minLength: 1,
			maxLength: 640,
		}),
		duration: integer({
			description: { en: "Length of a note without its own length, in milliseconds", zh: "没有单独指定长度的音符的长度，单位为毫秒" },
			minimum: 50,
			maximum: 2000,
			default: 400,
		}),
	},
	annotations: ACTS,
	needs: ["speaker"],
	call({ notes, duration }, board: WithSpeaker) {
		board.speaker.playTones(parseMelody(notes, duration));
		return true;
	},
});

/** @throws ToolError that names what is not a note */
function parseMelody(notes: string, duration: number): Tone[] {
	const words = notes.split(" ").filter((word) => word);
	if (!words.length || words.length > MAX_NOTES) throw new ToolError(`notes must hold 1 to ${MAX_NOTES} notes, got ${words.length}`);
	const tones: Tone[] = [];
	for (const word of words) {
		const match = /^(?:R|([A-G])([#b]?)([1-8]))(?::(\d{1,4}))?$/.exec(word);
		const [, letter, accidental, octave, length] = match ?? [word];
		const time = length === undefined ? duration : Number(length);
		if (!match || time <= GAP_MS || time > MAX_NOTE_MS)
			throw new ToolError(`"${word.slice(0, 16)}" is not a note: expected one such as C4, F#5 or R, with at most :${MAX_NOTE_MS} after it`);
		if (letter === undefined) tones.push({ frequency: 0, duration: time });
		else {
			const semitones = (SEMITONES[letter] as number) + (accidental === "#" ? 1 : accidental === "b" ? -1 : 0) + 12 * Number(octave);
			// A4 is 57 semitones above C0.
			tones.push({ frequency: 440 * 2 ** ((semitones - 57) / 12), duration: time - GAP_MS }, { frequency: 0, duration: GAP_MS });
		}
	}
	return tones;
}
