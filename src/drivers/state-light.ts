// An RGB light that shows what the device is doing, as long as no tool drives it.

import type { Board } from "../hardware/board.js";
import type { Frame, RgbLight } from "../hardware/rgb-light.js";

const INTERVAL_MS = 100;
/** A breath, in and out. */
const BREATH_STEPS = 20;
/** Without a connection for so long it is no longer on its way. */
export const ERROR_AFTER_MS = 30_000;
/** An assistant that has said nothing for so long is no longer waited for. */
export const LISTENING_MS = 15_000;

type Color = readonly [red: number, green: number, blue: number];
const color = (red: number, green: number, blue: number): Color => Object.freeze([red, green, blue] as const);

const AMBER = color(255, 100, 0);
const RED = color(255, 0, 0);
const GREEN = color(0, 255, 60);
const BLUE = color(0, 80, 255);
const VIOLET = color(160, 0, 255);

/**
 * Breathes amber while the device connects, and red when that takes long; green while the assistant is listening; blue while a tool
 * is at work; violet during an upgrade; otherwise it is dark. For tools it is `light` itself, off until they turn it on: from then
 * on it is theirs, until they turn it off.
 */
export class StateLight implements RgbLight {
	readonly #light: RgbLight;
	#state = "";
	/** Does a tool drive it? */
	#driven = false;

	constructor(light: RgbLight) {
		this.#light = light;
	}

	/** Shows the states of this board from now on. */
	follow(board: Pick<Board, "onState" | "onSpeech">): void {
		board.onState = (state) => {
			this.#state = state;
			this.#show(state);
		};
		board.onSpeech = (kind) => this.#show(kind === "user" ? "listening" : this.#state);
	}

	get length(): number {
		return this.#light.length;
	}

	get on(): boolean {
		return this.#driven;
	}

	get brightness(): number {
		return this.#light.brightness;
	}

	get colors(): Uint8Array {
		return this.#light.colors;
	}

	setPower(on: boolean): void {
		this.#driven = on;
		if (on) this.#light.setPower(true);
		else this.#show(this.#state);
	}

	setBrightness(brightness: number): void {
		this.#light.setBrightness(brightness);
	}

	setAll(red: number, green: number, blue: number): void {
		this.#driven = true;
		this.#light.setAll(red, green, blue);
	}

	setPixel(index: number, red: number, green: number, blue: number): void {
		this.#light.setPixel(index, red, green, blue);
		this.#driven = true;
	}

	animate(frame: Frame, interval: number): void {
		this.#driven = true;
		this.#light.animate(frame, interval);
	}

	close(): void {
		this.#driven = true;
		this.#light.close();
	}

	#show(state: string): void {
		if (this.#driven) return;
		const frame = frameOf(state);
		if (frame) this.#light.animate(frame, INTERVAL_MS);
		else this.#light.setPower(false);
	}
}

function frameOf(state: string): Frame | undefined {
	switch (state) {
		case "connecting":
			return (step, colors) => fill(colors, step * INTERVAL_MS < ERROR_AFTER_MS ? AMBER : RED, breath(step));
		case "listening":
			return (step, colors) => fill(colors, GREEN, step * INTERVAL_MS < LISTENING_MS ? 1 : 0);
		case "executing":
			return (_step, colors) => fill(colors, BLUE, 1);
		case "upgrading":
			return (step, colors) => fill(colors, VIOLET, breath(step));
	}
}

/** 0 to 1 and back. */
function breath(step: number): number {
	return 1 - Math.abs(1 - ((step % BREATH_STEPS) * 2) / BREATH_STEPS);
}

function fill(colors: Uint8Array, color: Color, brightness: number): void {
	for (let i = 0; i < colors.length; i++) colors[i] = Math.round((color[i % 3] as number) * brightness);
}
