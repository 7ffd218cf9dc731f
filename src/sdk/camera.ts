// Moddable's camera (ECMA-419, `embedded:io/image/in/camera`); its pins are in the target's manifest under `defines.camera`.

/// <reference path="../../typings/camera.d.ts" />

import EmbeddedCamera from "embedded:io/image/in/camera";

export interface CameraOptions {
	/** In pixels; the driver has a list of sizes. */
	width: number;
	height: number;
	imageType: "jpeg";
	/** Frames stay in the driver's memory until they are closed. */
	format: "buffer/disposable";
	/** A frame waits to be read. */
	onReadable: () => void;
}

/** A frame in the driver's memory: a buffer that can be given back. */
export type CameraFrame = ArrayBuffer & { close(): void };

export interface CameraInput {
	start(): void;
	/** The oldest frame that waits; undefined when there is none. */
	read(): CameraFrame | undefined;
	/** Takes every frame back. */
	stop(): void;
	close(): void;
}

/** Throws when no sensor answers. */
export type CameraConstructor = new (options: CameraOptions) => CameraInput;

const Camera = EmbeddedCamera as unknown as CameraConstructor;
export default Camera;
