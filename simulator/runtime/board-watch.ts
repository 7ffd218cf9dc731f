// Looks at a board's parts for what no simulated hardware shows, such as the volume that a speaker keeps, and shows it when it changes.
import { isShown, onInput, show } from "simulator/panel";
import { onTurn } from "simulator/turns";
import type { Battery } from "../../src/hardware/battery.js";
import type { Board } from "../../src/hardware/board.js";
import type { Lamp } from "../../src/hardware/lamp.js";
import type { Screen } from "../../src/hardware/screen.js";
import type { Speaker } from "../../src/hardware/speaker.js";

type Parts = Board & { readonly lamp?: Lamp | undefined };

const LOOKS: { readonly [part: string]: (board: Parts) => object | undefined } = {
	speaker: ({ speaker }) => speaker && look<Speaker>(speaker, ["volume"]),
	screen: ({ screen }) => screen && look<Partial<Screen>>(screen, ["brightness", "theme", "text"]),
	battery: ({ battery }) => battery && look<Battery>(battery, ["level", "charging"]),
	lamp: ({ lamp }) => lamp && look<Lamp>(lamp, ["on"]),
};

/** Gives the board back; from now on its parts are looked at after each event and before each answer. */
export function watchBoard<B extends Board>(board: B): B {
	const seen = new Map<string, string>();
	// A part that shows itself needs nobody else.
	const parts = Object.keys(LOOKS).filter((part) => !isShown(part));
	const lookAround = () => {
		for (const part of parts) {
			let state: object | undefined;
			try {
				state = LOOKS[part]?.(board);
			} catch {
				// A part that cannot tell its state is the board's own matter.
			}
			const text = state && JSON.stringify(state);
			if (!state || !text || seen.get(part) === text) continue;
			seen.set(part, text);
			show(part, state);
		}
	};
	lookAround();
	const { onSpeech } = board;
	board.onSpeech = (kind, text) => {
		show("assistant", { kind, text });
		onSpeech?.(kind, text);
	};
	const { onState } = board;
	show("device", { state: "starting" });
	board.onState = (state) => {
		show("device", { state });
		onState?.(state);
	};
	onInput("assistant", ({ say }) => board.say?.(say as string));
	if (parts.length > 0) onTurn(lookAround);
	return board;
}

function look<T>(part: T, members: readonly (keyof T)[]): object {
	return Object.fromEntries(members.map((member) => [member, part[member]]));
}
