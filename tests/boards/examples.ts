// Arguments for tools that take what no schema can say in full, such as a tune as a text; by the tool's name.

import type { Arguments } from "./corners.js";

const EXAMPLES: { readonly [tool: string]: readonly Arguments[] } = {
	"self.audio_speaker.play_melody": [{ notes: "C4 E4:200 R G4" }],
	"self.otto.servo_sequences": [
		{ sequence: { a: [{ s: { ll: 100, rl: 80 }, v: 500 }] } },
		{ sequence: { a: [{ osc: { a: { lf: 20 }, p: 500, c: 2 } }] } },
	],
};

/** Calls that the tool has to take; none where its schema says it all. */
export function examplesOf(tool: string): readonly Arguments[] {
	return EXAMPLES[tool] ?? [];
}

interface Schema {
	type?: string;
	enum?: unknown[];
	properties?: Record<string, Schema>;
}

/** Does the schema say everything about what the tool takes? Not where there are free texts, lists and objects. */
export function isPlain(schema: Schema): boolean {
	return Object.values(schema.properties ?? {}).every(({ type, enum: choices }) => choices || !["string", "array", "object"].includes(type ?? ""));
}
