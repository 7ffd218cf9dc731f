// A camera whose sensor makes JPEG itself, such as the OV2640, on Moddable's camera input. On ESP32 it holds a timer of the LED control
// (LEDC), which servos and PWM then cannot have.

import { base64Texts } from "../base/bytes.js";
import { Timeout, type Timers } from "../base/timers.js";
import type { Camera, Photo } from "../hardware/camera.js";
import type { CameraConstructor, CameraFrame, CameraInput } from "../sdk/camera.js";

/** A sensor that starts is still finding out how bright it is. */
export const DROPPED_FRAMES = 2;
export const PHOTO_LIMIT_MS = 5000;

export interface JpegCameraOptions {
	/** Moddable's camera, `sdk/camera`. */
	io: CameraConstructor;
	timers: Timers;
	/** One of the sizes that the driver knows, in pixels. */
	width: number;
	height: number;
}

/** It runs only while a photo is taken and until that is closed. */
export class JpegCamera implements Camera {
	readonly #camera: CameraInput;
	readonly #limit: Timeout;
	#onFrame: (() => void) | undefined;
	#busy = false;
	#closed = false;

	/** @throws Error when no sensor answers */
	constructor({ io, timers, width, height }: JpegCameraOptions) {
		this.#limit = new Timeout(timers);
		this.#camera = new io({ width, height, imageType: "jpeg", format: "buffer/disposable", onReadable: () => this.#onFrame?.() });
	}

	get busy(): boolean {
		return this.#busy;
	}

	take(): Promise<Photo> {
		return new Promise((resolve, reject) => {
			if (this.#closed || this.#busy) throw new Error(this.#closed ? "the camera is off" : "a photo is being taken already");
			this.#busy = true;
			let dropped = 0;
			const fail = (problem: string) => {
				this.#end();
				reject(new Error(problem));
			};
			this.#limit.set(PHOTO_LIMIT_MS, () => fail(`the camera gave no picture within ${PHOTO_LIMIT_MS / 1000} s`));
			this.#onFrame = () => {
				try {
					const frame = this.#camera.read();
					if (!frame) return;
					if (dropped++ < DROPPED_FRAMES) return frame.close();
					this.#onFrame = undefined;
					this.#limit.clear();
					resolve(this.#photo(frame));
				} catch (error) {
					fail((error as Error).message);
				}
			};
			this.#camera.start();
		});
	}

	/** May be called twice. */
	close(): void {
		if (this.#closed) return;
		this.#end();
		this.#closed = true;
		this.#camera.close();
	}

	#photo(frame: CameraFrame): Photo {
		let open = true;
		const bytes = new Uint8Array(frame);
		return {
			bytes,
			base64: () => base64Texts(bytes),
			close: () => {
				if (!open) return;
				open = false;
				// Before `stop`, which takes the frames back by itself.
				if (!this.#closed) frame.close();
				this.#end();
			},
		};
	}

	#end(): void {
		this.#limit.clear();
		this.#onFrame = undefined;
		if (this.#busy && !this.#closed) this.#camera.stop();
		this.#busy = false;
	}
}
