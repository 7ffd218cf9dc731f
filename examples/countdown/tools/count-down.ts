// The tool self.rocket.count_down: a call that takes a while, tells how far it is, and can be called off.

import { integer } from "mcp/schema";
import { ACTS, defineTool } from "mcp/tool";
import timers from "sdk/timer";
import type { CountdownBoard } from "../board.js";

/** `self.rocket.count_down` */
export const countDown = defineTool({
	name: "self.rocket.count_down",
	description: "Counts down with the light and returns at zero. It can be cancelled on the way.",
	properties: {
		seconds: integer({ description: "How long the countdown takes", minimum: 1, maximum: 20 }),
	},
	annotations: ACTS,
	needs: ["light"],
	call({ seconds }, board: CountdownBoard, context) {
		const { light } = board;
		return new Promise<string>((resolve) => {
			let left = seconds;
			light.setAll(255, 80, 0);
			const timer = timers.repeat(() => {
				left--;
				context.progress(seconds - left, seconds, left > 0 ? `${left} …` : "zero");
				light.setAll(255, left % 2 === 0 ? 80 : 0, 0);
				if (left > 0) return;
				timers.clear(timer);
				light.setAll(255, 255, 255);
				resolve("Liftoff!");
			}, 1000);
			// The caller has called it off, or was not there any more: the light must not go on for nobody.
			context.onCancel = () => {
				timers.clear(timer);
				light.setPower(false);
			};
		});
	},
});
