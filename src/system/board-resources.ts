// A board's state as resources: the whole of it, each part, and what is pressed and touched.

import type { Board } from "../hardware/board.js";
import type { Camera } from "../hardware/camera.js";
import type { Servo } from "../hardware/servo.js";
import { type BoardState, boardState } from "../hardware/state.js";
import type { Timers } from "../mcp/host.js";
import { type ResourceEntry, ResourceServer, type ResourceSource, type ResourceTemplate } from "../mcp/resources.js";

const SCHEME = "board://";
/** The part with buttons and touch. */
const INPUT = "input";
const CAMERA = "camera";
/** For those who draw the board; it changes too often for everybody else. */
const DRAWING = "drawing";

type PerhapsWithCamera = Board & { readonly camera?: Camera | undefined };

type Drawable = Parameters<typeof boardState>[0] & { readonly servos?: readonly Servo[] | undefined };

/** The resources of one board. */
export class BoardResources extends ResourceServer {
	readonly #input: { [name: string]: { [key: string]: unknown } };

	constructor(board: PerhapsWithCamera, timers: Timers) {
		const input = {};
		super(new BoardSource(board, input), timers);
		this.#input = input;
	}

	/** A button or the like has changed: `{button, pressed}` or `{pressed, …}`. Presses are counted, so that a short one is not missed. */
	event(name: string, { button, ...params }: { readonly [key: string]: unknown }): void {
		if (!name.endsWith("_changed")) return;
		const key = typeof button === "string" ? button : name.slice(0, -"_changed".length);
		const presses = Number(this.#input[key]?.presses ?? 0) + (params.pressed === true ? 1 : 0);
		this.#input[key] = { ...params, presses };
		this.touch();
	}
}

class BoardSource implements ResourceSource {
	readonly entries: readonly ResourceEntry[];
	readonly templates: readonly ResourceTemplate[] | undefined;
	readonly #board: PerhapsWithCamera;
	readonly #input: object;

	constructor(board: PerhapsWithCamera, input: object) {
		this.#board = board;
		this.#input = input;
		this.entries = [
			{ uri: `${SCHEME}status`, name: "status", description: "The state of every part" },
			// The network may come later.
			...[...new Set([...Object.keys(this.state()), "network"])].map((part) => ({
				uri: SCHEME + part,
				name: part,
				description: part === INPUT ? "Buttons and touch: what is pressed, and how often it was" : `The state of the part ${part}`,
			})),
			{
				uri: SCHEME + DRAWING,
				name: DRAWING,
				description: "The state of every part, with each pixel's color and each servo's angle, to draw the board by",
			},
			...(board.camera
				? [{ uri: SCHEME + CAMERA, name: CAMERA, description: "What the camera sees: a photo is taken when this is read", mimeType: "image/jpeg" }]
				: []),
			...(board.resources?.entries ?? []),
		];
		this.templates = board.resources?.templates;
	}

	read(uri: string): string | undefined {
		if (!uri.startsWith(SCHEME) || !this.entries.some((entry) => entry.uri === uri)) return this.#board.resources?.read(uri);
		const part = uri.slice(SCHEME.length);
		if (part === DRAWING) return JSON.stringify({ ...drawnState(this.#board), [INPUT]: this.#input });
		const state = this.state();
		return JSON.stringify(part === "status" ? state : (state[part] ?? {}));
	}

	async readBlob(uri: string): Promise<readonly string[]> {
		if (uri !== SCHEME + CAMERA) return this.#board.resources?.readBlob?.(uri) ?? [];
		const { camera } = this.#board;
		if (!camera || camera.busy) throw new Error(camera ? "A photo is being taken already" : "There is no camera");
		const photo = await camera.take();
		try {
			return photo.base64();
		} finally {
			photo.close();
		}
	}

	private state(): BoardState {
		return { ...boardState(this.#board), [INPUT]: this.#input };
	}
}

/** A longer light is drawn by its first pixels. */
const MAX_DRAWN_PIXELS = 128;

/** `boardState`, and what it takes to draw the board: the color of each pixel, one RRGGBB after the other, and the angle of each servo. */
function drawnState(board: Drawable): BoardState {
	const { light, body, servos = [] } = board;
	const state = boardState(board);
	if (light) {
		let pixels = "";
		for (const value of light.colors.subarray(0, 3 * MAX_DRAWN_PIXELS)) pixels += (value < 16 ? "0" : "") + value.toString(16);
		state.light = { ...state.light, pixels };
	}
	const angles: { [servo: string]: number } = {};
	if (body && body.off === undefined)
		body.joints.forEach((joint, index) => {
			angles[joint] = Math.round(body.angle(index));
		});
	servos.forEach(({ angle }, index) => {
		angles[`servo${index}`] = Math.round(angle);
	});
	return { ...state, angles };
}
