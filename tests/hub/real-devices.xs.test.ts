// Boards that are not of this program are drawn by what they say of themselves, whatever way they came: the whole firmware on the XS engine.

import { afterEach, expect, test } from "@jest/globals";
import { BenchStream } from "../../hub/bench-stream.js";
import { Observer, type Part } from "../../hub/observer.js";
import { drawRealDevices } from "../../hub/real-devices.js";
import { TestHub } from "../support/hub.js";

const ends: (() => unknown)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

test("a board that connects is drawn while somebody looks at it, with its names, colors and angles", async () => {
	const hub = await TestHub.start();
	ends.push(() => hub.close());
	const observer = new Observer(hub.devices);
	drawRealDevices(observer, (board) => (board === "esp_hi" ? { "pin 21": { label: "front left", zh: "左前腿", range: [20, 160] } } : undefined));
	const { device } = await hub.board("aa:bb:cc:dd:ee:01", "esp_hi");
	const view = observer.view(device.id);
	expect(view.parts.size).toBe(0);

	/** The next time that a part is as it should be. */
	const shown = (name: string, fits: (state: Record<string, unknown>) => boolean) =>
		new Promise<Part>((resolve) => {
			const stop = observer.listen({
				onPart: () => {
					const part = view.parts.get(name);
					if (!part?.state || !fits(part.state as Record<string, unknown>)) return;
					stop();
					resolve(part);
				},
			});
		});
	const leg = shown("front_left", () => true);
	const stream = new BenchStream(observer, { userTools: false, build: "" }, device.id, () => {});
	ends.push(() => stream.close());
	expect(await leg).toEqual({
		description: { kind: "servo", label: "front left", zh: "左前腿", range: [20, 160] },
		state: { angle: 90, position: 90, moving: expect.any(Boolean) },
	});
	expect(view.parts.get("speaker")?.state).toEqual({ volume: 70 });

	const red = shown("light", ({ on }) => on === true);
	await device.callTool("self.light.set_rgb", { r: 255, g: 16, b: 0 });
	expect((await red).state).toMatchObject({ on: true, pixels: Array(4).fill([255, 16, 0]) });

	const walking = shown("back_left", ({ moving, angle }) => moving === true && angle !== 90);
	await device.callTool("self.dog.basic_control", { action: "forward", steps: 1 });
	await walking;
	// What the page asks for itself is not among the messages.
	expect(view.entries().filter(({ text }) => /resources\/(read|subscribe|updated)/.test(text))).toEqual([]);
	expect(view.entries().filter(({ text }) => text.includes("basic_control")).length).toBeGreaterThan(0);
});
