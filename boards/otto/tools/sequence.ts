// Movements that a model composes itself: poses and waves of single servos.

import type { Phase } from "hardware/body";
import { ToolError } from "mcp/content";
import type { Text } from "mcp/localized";
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
const pause = (description: Text) => integer({ description, minimum: 0, maximum: 10_000, default: 0 });

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
	title: { zh: "Otto：编排动作" },
	description: {
		en:
			"Makes Otto perform movements that you compose from single servos. Returns at once, while it moves; several calls are performed one after the other, up to ten: " +
			"split long dances. Otto stays in its last pose; call self.otto.home afterwards. " +
			"Servos: ll, rl are the left and right leg, lf, rf the feet, lh, rh the hands. Angles: ll 0 outward, 180 inward; rl 0 inward, 180 outward; " +
			"lf 0 up, 180 down; rf 0 down, 180 up; lh 0 down, 180 up; rh 0 up, 180 down; 90 is the middle. " +
			"When a leg or foot swings, keep one foot at 90, or Otto falls.",
		zh: "让 Otto 做由你用单个舵机编排的动作。立即返回，动作随后进行；多次调用会依次执行，最多十个：长的舞蹈请分开。Otto 会停在最后的姿势；之后请调用 self.otto.home。舵机：ll、rl 为左腿、右腿，lf、rf 为左脚、右脚，lh、rh 为左手、右手。角度：ll 0 向外，180 向内；rl 0 向内，180 向外；lf 0 向上，180 向下；rf 0 向下，180 向上；lh 0 向下，180 向上；rh 0 向上，180 向下；90 为中间。一条腿或脚摆动时，另一只脚要保持在 90，否则 Otto 会摔倒。",
	},
	properties: {
		sequence: object({
			description: { en: "The movements and the pause after them", zh: "动作，以及之后的停顿" },
			properties: {
				a: array({
					description: { en: "The movements in order; each has either s or osc", zh: "依次的动作；每个有 s 或 osc" },
					items: object({
						properties: {
							s: object({
								description: { en: "A pose: the angle of each servo that moves, in degrees", zh: "姿势：要动的每个舵机的角度，单位为度" },
								properties: ofEach(angle),
								optional: true,
							}),
							v: integer({
								description: { en: "How long it takes to reach the pose, in milliseconds", zh: "到达姿势用多长时间，单位为毫秒" },
								minimum: 100,
								maximum: 3000,
								default: 1000,
							}),
							osc: object({
								description: { en: "A wave of servos around their centers", zh: "舵机围绕中心的摆动" },
								properties: {
									a: object({
										description: { en: "The amplitude of each servo that swings, in degrees", zh: "摆动的每个舵机的幅度，单位为度" },
										properties: ofEach(amplitude),
										optional: true,
									}),
									o: object({
										description: { en: "The center of each servo, in degrees; 90 by default", zh: "每个舵机的中心，单位为度；默认为 90" },
										properties: ofEach(angle),
										optional: true,
									}),
									ph: object({
										description: { en: "The phase of each servo's wave, in degrees", zh: "每个舵机摆动的相位，单位为度" },
										properties: ofEach(phase),
										optional: true,
									}),
									p: integer({
										description: { en: "The period in milliseconds", zh: "周期，单位为毫秒" },
										minimum: 100,
										maximum: 3000,
										default: 500,
									}),
									c: number({ description: { en: "How many periods", zh: "多少个周期" }, minimum: 0.1, maximum: 20, default: 5 }),
								} satisfies Properties,
								optional: true,
							}),
							d: pause({ en: "The pause after this movement, in milliseconds", zh: "此动作之后的停顿，单位为毫秒" }),
						},
					}),
					minItems: 1,
					maxItems: 20,
				}),
				d: pause({ en: "The pause after the last movement, in milliseconds", zh: "最后一个动作之后的停顿，单位为毫秒" }),
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
