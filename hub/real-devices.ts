// Draws real devices: what they say of their parts in the resource `board://drawing`, as the parts of a drawn board.

import type { PartDescription } from "../simulator/parts.js";
import type { Device } from "./devices.js";
import { parseObject } from "./json.js";
import { DRAWING, type Observer, type View } from "./observer.js";

const CAMERA = "board://camera";
/** A device that moves is not asked more often. */
const REST_MS = 100;

/** What the repository knows of a board's parts, by any name: `panel.json`. */
export type Panel = Readonly<Record<string, Partial<PartDescription>>>;

type Values = Readonly<Record<string, unknown>>;

/** The parts of a board that says this of itself; what is not of the form that a part has is left out. */
export function partsOf(drawing: Values, panel: Panel = {}): Map<string, { description: PartDescription; state: object }> {
	const parts = new Map<string, { description: PartDescription; state: object }>();
	const known = Object.values(panel);
	/** The board's own words for a part of that name, in both languages. */
	const named = (name: string) => {
		const label = name.replaceAll("_", " ");
		const { label: given = label, zh, range } = panel[name] ?? known.find((it) => it.label === label) ?? {};
		return { label: given, ...(zh ? { zh } : {}), ...(range ? { range } : {}) };
	};
	const add = (kind: string, state: unknown, name = kind, description: object = {}) => {
		if (isValues(state)) parts.set(name, { description: { kind, ...description }, state });
	};
	const { light, audio_speaker, screen, battery, lamp, angles, body, input } = drawing;
	if (isValues(light) && typeof light.pixels === "string") {
		const columns = known.find((it) => it.columns !== undefined)?.columns;
		const pixels = (light.pixels.match(/[0-9a-f]{6}/g) ?? []).map((pixel) => [0, 2, 4].map((at) => Number.parseInt(pixel.slice(at, at + 2), 16)));
		add("light", { ...light, pixels }, "light", columns === undefined ? {} : { columns });
	}
	add("speaker", audio_speaker);
	add("screen", screen);
	add("battery", battery);
	add("lamp", lamp);
	for (const [name, angle] of Object.entries(isValues(angles) ? angles : {})) {
		const moving = isValues(body) && body.moving === true;
		if (typeof angle === "number") add("servo", { angle, position: angle, moving }, name, named(name));
	}
	for (const [name, state] of Object.entries(isValues(input) ? input : {})) if (name !== "touch") add("button", state, name, named(name));
	return parts;
}

/**
 * Keeps the parts of the devices that somebody looks at: asks each to tell of changes, and reads it then. A device without the resource is
 * not drawn.
 */
export function drawRealDevices(observer: Observer, panelOf: (board: string) => Panel | undefined): void {
	const looked = new WeakSet<View>();
	const busy = new Map<string, { again: boolean }>();
	const read = async (device: Device) => {
		const running = busy.get(device.id);
		if (running) {
			running.again = true;
			return;
		}
		const state = { again: true };
		busy.set(device.id, state);
		try {
			while (state.again && device.session) {
				state.again = false;
				const [item] = (await device.readResource(DRAWING)).contents;
				const drawing = item && "text" in item ? parseObject(item.text) : undefined;
				for (const [name, part] of partsOf(drawing ?? {}, panelOf(device.name))) {
					const text = JSON.stringify(part);
					if (text === JSON.stringify(observer.peek(device.id)?.parts.get(name))) continue;
					observer.describe(device.id, name, part.description);
					observer.show(device.id, name, part.state);
				}
				await new Promise((resolve) => setTimeout(resolve, REST_MS));
			}
		} catch {
			// It has gone, or says what it did not say before: the drawing stays as it was.
		} finally {
			busy.delete(device.id);
		}
	};
	const draw = (device: Device | undefined) => {
		if (!device?.session || !device.resources.some(({ uri }) => uri === DRAWING)) return;
		if (device.resources.some(({ uri }) => uri === CAMERA)) observer.describe(device.id, "camera", { kind: "camera" });
		void device.subscribeResource(DRAWING).catch(() => {});
		void read(device);
	};
	const isLookedAt = (view: View | undefined) => view !== undefined && !view.simulation && looked.has(view);
	observer.listen({
		onLook: (view) => {
			if (view.simulation || looked.has(view)) return;
			looked.add(view);
			draw(observer.devices.find(view.id));
		},
	});
	observer.devices.listen({
		onReady: (device) => isLookedAt(observer.peek(device.id)) && draw(device),
		onResourceUpdated: (device, uri) => uri === DRAWING && isLookedAt(observer.peek(device.id)) && void read(device),
	});
}

function isValues(value: unknown): value is Values {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
