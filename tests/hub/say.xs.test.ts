// A sentence from the device to the assistant and back, through the whole firmware on the XS engine and the hub's backend.

import { afterEach, expect, test } from "@jest/globals";
import { type Backend, startBackend } from "../../hub/backend.js";
import { runSimulatedBoard } from "../../hub/simulated-board.js";
import type { RunningDevice } from "../../simulator/run-device.js";

let backend: Backend | undefined;
let device: RunningDevice | undefined;

afterEach(async () => {
	await device?.close();
	await backend?.close();
});

test("say TEXT reaches the assistant, which calls a tool and answers", async () => {
	backend = await startBackend({
		async assistant(text, session) {
			const { content } = await session.callTool("self.audio_speaker.set_volume", { volume: 30 });
			return `You said "${text}", and the device said ${(content[0] as { text: string }).text}`;
		},
		onSession: (session) => void session.initialize(),
	});
	const spoken: { kind: string; text: string }[] = [];
	let heard: (() => void) | undefined;
	const answered = new Promise<void>((resolve) => {
		heard = resolve;
	});
	device = await runSimulatedBoard({
		board: "simulator",
		url: backend.url,
		onShow(part, state) {
			if (part !== "assistant") return;
			spoken.push(state as { kind: string; text: string });
			if (spoken.at(-1)?.kind === "assistant") heard?.();
		},
	});
	device.say("Set the\nvolume to 30");
	await answered;
	expect(spoken).toEqual([
		{ kind: "user", text: "Set the volume to 30" },
		{ kind: "call", text: "self.audio_speaker.set_volume" },
		{ kind: "emotion", text: "neutral" },
		{ kind: "assistant", text: 'You said "Set the volume to 30", and the device said true' },
	]);
}, 30_000);
