// Movements that a model composes itself: poses and waves of single servos.

import type { Phase } from "hardware/body";
import { ToolError } from "mcp/content";
import { array, integer, number, object, type Properties, type Property } from "mcp/schema";
import { ACTS, defineTool } from "mcp/tool";
import { accepted, type WithBody } from "tools/robot";

/** The servos' short names, in the order of the joints. */
const KEYS = Object.freeze(["ll", "rl", "lf", "rf", "lh", "rh"] as const);

type Key = (typeof KEYS)[number];
type Angles = { readonly [K in Key]: number | undefined };

const angle = integer({ minimum: 0, maximum: 180, optional: true });
const amplitude = integer({ minimum: 10, maximum: 90, optional: true });
const phase = integer({ minimum: 0, maximum: 360, optional: true });
const pause = (description: string) => integer({ description, minimum: 0, maximum: 10_000, default: 0 });

/** A wave's amplitude in degrees when the caller gives only its center or phase. */
const DEFAULT_AMPLITUDE = 20;
/** A wave's center in degrees when the caller gives none. */
const DEFAULT_CENTER = 90;

function ofEach<P extends Property>(property: P): { readonly [K in Key]: P } {
	return { ll: property, rl: property, lf: property, rf: property, lh: property, rh: property };
}

/** `self.otto.servo_sequences` */
export const servoSequences = defineTool({
	name: "self.otto.servo_sequences",
	description:
		"Makes Otto perform movements that you compose from single servos. Returns at once, while it moves; several calls are performed one after the other, up to ten: " +
		"split long dances. Otto stays in its last pose; call self.otto.home afterwards. " +
		"Servos: ll, rl are the left and right leg, lf, rf the feet, lh, rh the hands. Angles: ll 0 outward, 180 inward; rl 0 inward, 180 outward; " +
		"lf 0 up, 180 down; rf 0 down, 180 up; lh 0 down, 180 up; rh 0 up, 180 down; 90 is the middle. " +
		"When a leg or foot swings, keep one foot at 90, or Otto falls.",
	properties: {
		sequence: object({
			description: "The movements and the pause after them",
			properties: {
				a: array({
					description: "The movements in order; each has either s or osc",
					items: object({
						properties: {
							s: object({
								description: "A pose: the angle of each servo that moves, in degrees",
								properties: ofEach(angle),
								optional: true,
							}),
							v: integer({ description: "How long it takes to reach the pose, in milliseconds", minimum: 100, maximum: 3000, default: 1000 }),
							osc: object({
								description: "A wave of servos around their centers",
								properties: {
									a: object({ description: "The amplitude of each servo that swings, in degrees", properties: ofEach(amplitude), optional: true }),
									o: object({
										description: "The center of each servo, in degrees; 90 by default",
										properties: ofEach(angle),
										optional: true,
									}),
									ph: object({ description: "The phase of each servo's wave, in degrees", properties: ofEach(phase), optional: true }),
									p: integer({ description: "The period in milliseconds", minimum: 100, maximum: 3000, default: 500 }),
									c: number({ description: "How many periods", minimum: 0.1, maximum: 20, default: 5 }),
								} satisfies Properties,
								optional: true,
							}),
							d: pause("The pause after this movement, in milliseconds"),
						},
					}),
					minItems: 1,
					maxItems: 20,
				}),
				d: pause("The pause after the last movement, in milliseconds"),
			},
		}),
	},
	annotations: ACTS,
	needs: ["body"],
	call({ sequence }, { body }: WithBody) {
		const phases: Phase[] = [];
		sequence.a.forEach(({ s, v, osc, d }, index) => {
			if ((s === undefined) === (osc === undefined)) throw new ToolError(`sequence.a[${index}] must have either s or osc`);
			const moved = s ? pose(s, v) : wave(osc?.a ?? NONE, osc?.o ?? NONE, osc?.ph ?? NONE, osc?.p ?? 0, osc?.c ?? 0);
			if (!moved) throw new ToolError(`sequence.a[${index}] moves no servo: name at least one of ${KEYS.join(", ")}`);
			phases.push(moved);
			if (d > 0) phases.push({ angles: [], time: d });
		});
		if (sequence.d > 0) phases.push({ angles: [], time: sequence.d });
		return accepted(body.perform({ motion: { before: phases, stays: true } }));
	},
});

const NONE: Angles = Object.freeze(ofNone());

function ofNone(): Angles {
	return { ll: undefined, rl: undefined, lf: undefined, rf: undefined, lh: undefined, rh: undefined };
}

function pose(angles: Angles, time: number): Phase | undefined {
	const moved: [number, number][] = [];
	KEYS.forEach((key, joint) => {
		const value = angles[key];
		if (value !== undefined) moved.push([joint, value]);
	});
	return moved.length ? { angles: moved, time } : undefined;
}

/** A servo with an amplitude or a phase swings; one with only a center goes there and stays. */
function wave(amplitudes: Angles, centers: Angles, phases: Angles, period: number, cycles: number): Phase | undefined {
	const swings: [number, number, number, number][] = [];
	KEYS.forEach((key, joint) => {
		const swinging = amplitudes[key] !== undefined || phases[key] !== undefined;
		const center = centers[key];
		if (!swinging && center === undefined) return;
		swings.push([joint, center ?? DEFAULT_CENTER, swinging ? (amplitudes[key] ?? DEFAULT_AMPLITUDE) : 0, phases[key] ?? 0]);
	});
	return swings.length ? { swings, period, cycles } : undefined;
}
