// The tool self.light.breathe: an animation of one's own.

import { integer } from "mcp/schema";
import { defineTool, SETS } from "mcp/tool";
import type { BreathingLightBoard } from "../board.js";

/** So many steps a second: an eye sees no more. */
const STEPS_PER_SECOND = 25;

/** `self.light.breathe` */
export const breathe = defineTool({
	name: "self.light.breathe",
	description: "Lets the light breathe in one color, until another color is set or it is turned off. Returns at once.",
	properties: {
		hue: integer({ description: "The color in degrees: 0 is red, 120 green, 240 blue", minimum: 0, maximum: 359 }),
		breaths: integer({ description: "Breaths in a minute; 12 is calm", minimum: 1, maximum: 60, default: 12 }),
	},
	annotations: SETS,
	needs: ["light"],
	call({ hue, breaths }, board: BreathingLightBoard) {
		const steps = (60 * STEPS_PER_SECOND) / breaths;
		board.light.animate((step, colors) => {
			// From dark to full and back; the square looks even to an eye.
			const level = ((1 - Math.cos((2 * Math.PI * step) / steps)) / 2) ** 2;
			for (let part = 0; part < colors.length; part++) colors[part] = Math.round(255 * level * shareOf(hue, part % 3));
		}, 1000 / STEPS_PER_SECOND);
		return true;
	},
});

/** How much of red (0), green (1) or blue (2) a color has, 0 to 1: all at its own angle, none from 120 degrees away. */
function shareOf(hue: number, part: number): number {
	const away = Math.abs(((hue - 120 * part + 540) % 360) - 180);
	return Math.min(1, Math.max(0, 2 - away / 60));
}
