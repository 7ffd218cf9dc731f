// A press from the page lasts until hardware has seen it, also on a computer that is busy.

import { expect, test } from "@jest/globals";
import { Press, SHORTEST_PRESS_MS } from "../../simulator/runtime/hardware/press.js";

test("one that is let go late is still seen by timers that were kept waiting", async () => {
	const seen: unknown[] = [];
	const over = new Promise<void>((resolve) => {
		const press = new Press<true>((place) => {
			seen.push(place);
			if (!place) resolve();
		});
		press.set(true);
		setTimeout(() => seen.push("debounced"), SHORTEST_PRESS_MS / 2);
		const busyUntil = Date.now() + 2 * SHORTEST_PRESS_MS;
		while (Date.now() < busyUntil);
		press.set(undefined);
	});
	await over;
	expect(seen).toEqual([true, "debounced", undefined]);
});
