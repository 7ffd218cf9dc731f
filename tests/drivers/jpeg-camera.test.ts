// Photos of a camera whose sensor makes JPEG, on a fake of Moddable's camera input.

import { expect, test } from "@jest/globals";
import { JpegCamera, PHOTO_LIMIT_MS } from "../../src/drivers/jpeg-camera.js";
import type { CameraConstructor, CameraOptions } from "../../src/sdk/camera.js";
import { ManualTimers } from "../mcp/support.js";

function createCamera() {
	const timers = new ManualTimers();
	const happened: string[] = [];
	let options: CameraOptions | undefined;
	let frames = 0;
	let waiting = false;
	class FakeCamera {
		constructor(given: CameraOptions) {
			options = given;
		}
		start() {
			happened.push("start");
		}
		stop() {
			happened.push("stop");
		}
		close() {
			happened.push("off");
		}
		read() {
			if (!waiting) return undefined;
			waiting = false;
			const frame = ++frames;
			return Object.assign(new Uint8Array([0xff, 0xd8, frame]).buffer, { close: () => happened.push(`give back ${frame}`) });
		}
	}
	const camera = new JpegCamera({ io: FakeCamera as unknown as CameraConstructor, timers, width: 640, height: 480 });
	const frame = (there = true) => {
		waiting = there;
		options?.onReadable();
	};
	return { camera, timers, happened, frame, options };
}

test("a photo is the third frame; it is given back before the camera stops, once", async () => {
	const { camera, happened, frame, timers, options } = createCamera();
	expect(options).toMatchObject({ width: 640, height: 480, imageType: "jpeg", format: "buffer/disposable" });
	const taken = camera.take();
	expect(camera.busy).toBe(true);
	frame();
	frame(false);
	frame();
	frame();
	const photo = await taken;
	expect([...photo.bytes]).toEqual([0xff, 0xd8, 3]);
	// What comes while the photo is in use is left to the driver.
	frame();
	photo.close();
	photo.close();
	expect(happened).toEqual(["start", "give back 1", "give back 2", "give back 3", "stop"]);
	expect([camera.busy, timers.size]).toEqual([false, 0]);
});

test("one photo is taken at a time", async () => {
	const { camera, frame } = createCamera();
	const first = camera.take();
	await expect(camera.take()).rejects.toThrow("a photo is being taken already");
	for (let i = 0; i < 3; i++) frame();
	(await first).close();
	const second = camera.take();
	for (let i = 0; i < 3; i++) frame();
	(await second).close();
});

test("a sensor that stalls costs one photo", async () => {
	const { camera, frame, timers, happened } = createCamera();
	const taken = camera.take();
	frame();
	timers.advance(PHOTO_LIMIT_MS);
	await expect(taken).rejects.toThrow("the camera gave no picture within 5 s");
	expect(happened.at(-1)).toBe("stop");
	frame();
	const next = camera.take();
	for (let i = 0; i < 3; i++) frame();
	(await next).close();
});

test("close stops and turns it off, with a photo open or not", async () => {
	const { camera, happened, frame } = createCamera();
	const taken = camera.take();
	for (let i = 0; i < 3; i++) frame();
	const photo = await taken;
	camera.close();
	camera.close();
	photo.close();
	expect(happened.slice(-2)).toEqual(["stop", "off"]);
	await expect(camera.take()).rejects.toThrow("the camera is off");
});
