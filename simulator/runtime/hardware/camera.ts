// "embedded:io/image/in/camera": a camera that looks at its own board. Its picture has the board's lights and its lamp in colored blocks.

import { encodeBlocks, type Rgb } from "simulator/jpeg";
import { describe, show, stateOf } from "simulator/panel";
import Timer from "timer";

const FRAME_MS = 40;
const BLOCK = 8;
const BACKGROUND: readonly Rgb[] = [
	[32, 44, 60],
	[38, 52, 70],
];

interface Options {
	width: number;
	height: number;
	imageType: "jpeg";
	format: "buffer/disposable";
	onReadable: () => void;
}

type Frame = ArrayBuffer & { close(): void };

/** Shows `{photos}`, how many were read, as part `camera`. */
export default class Camera {
	readonly #options: Options;
	#timer: unknown;
	#waiting = false;
	#photos = 0;

	/** @throws Error for what the real one has not */
	constructor(options: Options) {
		if (options.imageType !== "jpeg" || options.format !== "buffer/disposable") throw new Error("camera: only JPEG in disposable buffers");
		this.#options = options;
		describe("camera", { width: options.width, height: options.height });
		show("camera", { photos: 0 });
	}

	start(): void {
		this.#timer ??= Timer.set(() => this.#next(), FRAME_MS);
	}

	read(): Frame | undefined {
		if (!this.#waiting) return undefined;
		this.#waiting = false;
		show("camera", { photos: ++this.#photos });
		const { width, height } = this.#options;
		const bytes = encodeBlocks(width / BLOCK, height / BLOCK, colorAt(width / BLOCK, height / BLOCK));
		return Object.assign(bytes.buffer as ArrayBuffer, { close() {} });
	}

	stop(): void {
		if (this.#timer !== undefined) Timer.clear(this.#timer as never);
		this.#timer = undefined;
		this.#waiting = false;
	}

	close(): void {
		this.stop();
	}

	#next(): void {
		this.#timer = Timer.set(() => this.#next(), FRAME_MS);
		this.#waiting = true;
		this.#options.onReadable();
	}
}

/** The strip of the board in the middle of the picture, the lamp as a square above it. */
function colorAt(columns: number, rows: number): (x: number, y: number) => Rgb {
	const light = stateOf("light") as { pixels?: readonly Rgb[] } | undefined;
	const lamp = stateOf("lamp") as { on?: boolean } | undefined;
	const pixels = light?.pixels ?? [];
	const side = Math.max(2, Math.floor((columns - 4) / Math.max(1, pixels.length)));
	return (x, y) => {
		const at = Math.floor((x - 2) / side);
		if (y > rows / 2 && y <= rows / 2 + side && x >= 2 && pixels[at]) return pixels[at];
		if (lamp?.on && Math.abs(x - columns / 2) < 3 && Math.abs(y - rows / 4) < 3) return [255, 240, 180];
		return BACKGROUND[(x + y) % 2] as Rgb;
	};
}
