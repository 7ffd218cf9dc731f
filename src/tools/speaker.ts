// Tools for a board with a loudspeaker.

import type { Speaker } from "../hardware/hardware.js";
import { integer } from "../mcp/schema.js";
import { defineTool } from "../mcp/tool.js";

interface WithSpeaker {
	readonly speaker: Speaker;
}

/** `self.audio_speaker.set_volume` */
export const setVolume = defineTool({
	name: "self.audio_speaker.set_volume",
	description:
		"Sets the volume of the audio speaker. If the current volume is unknown and the wish is relative (louder, quieter), call self.get_device_status first.",
	properties: {
		volume: integer({ description: "The new volume in percent: 0 is silent, 100 is the loudest", minimum: 0, maximum: 100 }),
	},
	annotations: { idempotentHint: true },
	call({ volume }, board: WithSpeaker) {
		board.speaker.setVolume(volume);
		return true;
	},
});

/** `self.audio_speaker.play_tone` */
export const playTone = defineTool({
	name: "self.audio_speaker.play_tone",
	description: "Plays one tone on the audio speaker and returns at once, while it sounds. A tone that still sounds is replaced.",
	properties: {
		frequency: integer({ description: "The pitch in hertz, for example 440 for the A above middle C", minimum: 20, maximum: 20000 }),
		duration: integer({ description: "How long it sounds, in milliseconds", minimum: 10, maximum: 10000 }),
	},
	call({ frequency, duration }, board: WithSpeaker) {
		board.speaker.playTone(frequency, duration);
		return true;
	},
});
