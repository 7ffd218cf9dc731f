// What Otto can do, as tables. Larger angles turn the left leg inward, the left foot's outer edge down and the left hand up;
// on the right side it is the reverse. A wave's amount is the request's, in degrees.

import type { Motion } from "hardware/body";
import { LEFT_FOOT, LEFT_HAND, LEFT_LEG, RIGHT_FOOT, RIGHT_HAND, RIGHT_LEG } from "./joints.js";

/** The hands swing by half the request's `swing` to either side; their center rises with it, so that they reach no end. */
const LEFT_HAND_CENTER = Object.freeze([45, 0, 45 / 170] as const);
const RIGHT_HAND_CENTER = Object.freeze([135, 0, -45 / 170] as const);
const HAND_SWING = Object.freeze([0, 0, 0.5] as const);

/** The hips turn together, the feet tip the weight to the other side a quarter of a wave before that. */
const walk: Motion = {
	cycle: [
		{
			swings: [
				[LEFT_LEG, 90, 30],
				[RIGHT_LEG, 90, 30],
				[LEFT_FOOT, 94, 20, -90],
				[RIGHT_FOOT, 86, 20, -90],
				[LEFT_HAND, LEFT_HAND_CENTER, HAND_SWING],
				[RIGHT_HAND, RIGHT_HAND_CENTER, HAND_SWING],
			],
		},
	],
	direction: "reverse",
	period: [300, 3000],
};

/** As in walking, but one leg takes larger steps than the other: the way bends to the other's side. */
const turn: Motion = {
	cycle: [
		{
			swings: [
				[LEFT_LEG, 90, 30],
				[RIGHT_LEG, 90, 10],
				[LEFT_FOOT, 94, 20, -90],
				[RIGHT_FOOT, 86, 20, -90],
				[LEFT_HAND, LEFT_HAND_CENTER, HAND_SWING],
				[RIGHT_HAND, RIGHT_HAND_CENTER, HAND_SWING],
			],
		},
	],
	direction: "mirror",
	period: [300, 3000],
};

const jump: Motion = {
	cycle: [
		{
			angles: [
				[LEFT_FOOT, 150],
				[RIGHT_FOOT, 30],
			],
			time: [0, 0.5],
		},
		{
			angles: [
				[LEFT_FOOT, 90],
				[RIGHT_FOOT, 90],
			],
			time: [0, 0.5],
		},
	],
};

const swing: Motion = {
	cycle: [
		{
			swings: [
				[LEFT_FOOT, [90, 0.5], [0, 1]],
				[RIGHT_FOOT, [90, -0.5], [0, 1]],
			],
		},
	],
	amount: [10, 50],
	period: [300, 3000],
};

/** As `swing`, but on tiptoe. */
const tiptoeSwing: Motion = {
	cycle: [
		{
			swings: [
				[LEFT_FOOT, [90, 1], [0, 1]],
				[RIGHT_FOOT, [90, -1], [0, 1]],
			],
		},
	],
	amount: [10, 45],
	period: [300, 3000],
};

/** Both feet rise and sink together. */
const upDown: Motion = {
	cycle: [
		{
			swings: [
				[LEFT_FOOT, [90, 1], [0, 1], -90],
				[RIGHT_FOOT, [90, -1], [0, 1], 90],
			],
		},
	],
	amount: [10, 45],
	period: [300, 3000],
};

/** A wave that runs through both feet from one side to the other: 60 degrees apart, as the feet mirror each other. */
const moonwalk: Motion = {
	cycle: [
		{
			swings: [
				[LEFT_FOOT, [92, 0.5], [0, 1], -90],
				[RIGHT_FOOT, [88, -0.5], [0, 1], -150],
			],
		},
	],
	direction: "mirror",
	amount: [15, 40],
	period: [300, 3000],
};

/** Between moonwalk and walk. */
const crusaito: Motion = {
	cycle: [
		{
			swings: [
				[LEFT_LEG, 90, 25, 90],
				[RIGHT_LEG, 90, 25, 90],
				[LEFT_FOOT, [94, 0.5], [0, 1]],
				[RIGHT_FOOT, [86, -0.5], [0, 1], -60],
			],
		},
	],
	direction: "mirror",
	amount: [20, 50],
	period: [300, 3000],
};

const flapping: Motion = {
	cycle: [
		{
			swings: [
				[LEFT_LEG, 90, 12],
				[RIGHT_LEG, 90, 12, 180],
				[LEFT_FOOT, [80, 1], [0, 1], -90],
				[RIGHT_FOOT, [100, -1], [0, 1], 90],
			],
		},
	],
	direction: "reverse",
	amount: [10, 30],
	period: [300, 3000],
};

const jitter: Motion = {
	cycle: [
		{
			swings: [
				[LEFT_LEG, 90, [0, 1], -90],
				[RIGHT_LEG, 90, [0, 1], 90],
			],
		},
	],
	amount: [5, 25],
	period: [200, 3000],
};

const ascendingTurn: Motion = {
	cycle: [
		{
			swings: [
				[LEFT_LEG, 90, [0, 1], -90],
				[RIGHT_LEG, 90, [0, 1], 90],
				[LEFT_FOOT, [94, 1], [0, 1], -90],
				[RIGHT_FOOT, [94, -1], [0, 1], 90],
			],
		},
	],
	amount: [5, 13],
	period: [200, 3000],
};

/** The weight goes over one foot, then the other foot is lifted. The times are fixed: faster, Otto falls over. */
const bend: Motion = {
	cycle: [
		{
			angles: [
				[LEFT_FOOT, 62],
				[RIGHT_FOOT, 35],
			],
			time: 400,
		},
		{ angles: [[RIGHT_FOOT, 105]], time: 400, hold: [0, 0.8] },
		{
			angles: [
				[LEFT_FOOT, 90],
				[RIGHT_FOOT, 90],
			],
			time: 500,
		},
	],
	direction: "mirror",
};

/** Otto stands on the right foot and shakes the left one. */
const shakeLeg: Motion = {
	cycle: [
		{
			angles: [
				[LEFT_FOOT, 145],
				[RIGHT_FOOT, 122],
			],
			time: 500,
		},
		{ angles: [[LEFT_FOOT, 60]], time: 500 },
		{ angles: [[LEFT_FOOT, 120]], time: [100, 0.1] },
		{ angles: [[LEFT_FOOT, 60]], time: [100, 0.1] },
		{ angles: [[LEFT_FOOT, 120]], time: [100, 0.1] },
		{ angles: [[LEFT_FOOT, 60]], time: [100, 0.1] },
		{
			angles: [
				[LEFT_FOOT, 90],
				[RIGHT_FOOT, 90],
			],
			time: 500,
		},
	],
	direction: "mirror",
};

/** Otto stands on the edge of the right foot; the left leg whirls. */
const whirlwindLeg: Motion = {
	before: [
		{ angles: [[LEFT_FOOT, 180]], time: 300 },
		{ angles: [[RIGHT_FOOT, 160]], time: 500, hold: 500 },
	],
	cycle: [
		{
			swings: [
				[LEFT_LEG, 90, [0, 1]],
				[LEFT_HAND, 60, [0, 1]],
			],
		},
	],
	amount: [20, 40],
	period: [100, 1000],
};

const sit: Motion = {
	cycle: [
		{
			angles: [
				[LEFT_LEG, 120],
				[RIGHT_LEG, 60],
				[LEFT_FOOT, 0],
				[RIGHT_FOOT, 180],
			],
			time: 800,
		},
	],
	stays: true,
};

const handsUp: Motion = {
	before: [
		{
			angles: [
				[LEFT_HAND, 170],
				[RIGHT_HAND, 10],
			],
			time: [0, 1],
		},
	],
	direction: "side",
	stays: true,
};

const handsDown: Motion = {
	before: [
		{
			angles: [
				[LEFT_HAND, 45],
				[RIGHT_HAND, 135],
			],
			time: [0, 1],
		},
	],
	direction: "side",
	stays: true,
};

const handWave: Motion = {
	before: [
		{
			angles: [
				[LEFT_HAND, 150],
				[RIGHT_HAND, 30],
			],
			time: 500,
		},
	],
	cycle: [
		{
			swings: [
				[LEFT_HAND, 150, 20],
				[RIGHT_HAND, 30, 20],
			],
		},
	],
	direction: "side",
	period: [300, 1500],
};

/** One hand goes up while the other goes down. */
const windmill: Motion = {
	cycle: [
		{
			swings: [
				[LEFT_HAND, 90, [0, 1]],
				[RIGHT_HAND, 90, [0, 1]],
			],
		},
	],
	amount: [50, 90],
	period: [300, 2000],
};

/** Both hands flap like wings. */
const takeoff: Motion = {
	cycle: [
		{
			swings: [
				[LEFT_HAND, 90, [0, 1]],
				[RIGHT_HAND, 90, [0, 1], 180],
			],
		},
	],
	amount: [20, 60],
	period: [200, 600],
};

/** Arms up and down, and knees bends as far as feet can. */
const fitness: Motion = {
	cycle: [
		{
			swings: [
				[LEFT_HAND, 90, [20, 1]],
				[RIGHT_HAND, 90, [20, 1], 180],
				[LEFT_FOOT, 105, 15, -90],
				[RIGHT_FOOT, 75, 15, 90],
			],
		},
	],
	amount: [10, 50],
	period: [500, 3000],
};

/** Otto leans a little and waves. */
const greeting: Motion = {
	before: [
		{
			angles: [
				[LEFT_HAND, 150],
				[LEFT_FOOT, 78],
				[RIGHT_FOOT, 78],
			],
			time: 600,
		},
	],
	cycle: [{ swings: [[LEFT_HAND, 150, 20]], rate: 2 }],
	direction: "mirror",
	period: [500, 2000],
};

/** Toes together, one hand before the face, a little wriggling. */
const shy: Motion = {
	before: [
		{
			angles: [
				[LEFT_LEG, 108],
				[RIGHT_LEG, 72],
				[LEFT_HAND, 140],
			],
			time: 600,
		},
	],
	cycle: [
		{
			swings: [
				[LEFT_LEG, 108, 6],
				[RIGHT_LEG, 72, 6],
			],
		},
	],
	after: [
		{
			angles: [
				[LEFT_LEG, 90],
				[RIGHT_LEG, 90],
				[LEFT_HAND, 45],
			],
			time: 600,
		},
	],
	direction: "mirror",
	period: [300, 2000],
};

/** A little gymnastics lesson: arms, side bends, tiptoe, twists. */
const radioCalisthenics: Motion = {
	before: [
		{
			angles: [
				[LEFT_HAND, 90],
				[RIGHT_HAND, 90],
			],
			time: 600,
			hold: 200,
		},
		{
			angles: [
				[LEFT_HAND, 170],
				[RIGHT_HAND, 10],
			],
			time: 600,
			hold: 200,
		},
		{
			swings: [
				[LEFT_HAND, 110, 60, 90],
				[RIGHT_HAND, 70, 60, -90],
			],
			cycles: 4,
			period: 1000,
		},
		{
			swings: [
				[LEFT_FOOT, 100, 20],
				[RIGHT_FOOT, 80, 20],
				[LEFT_HAND, 150, 0],
				[RIGHT_HAND, 30, 0],
			],
			cycles: 4,
			period: 1200,
		},
		{
			swings: [
				[LEFT_FOOT, 110, 20, -90],
				[RIGHT_FOOT, 70, 20, 90],
			],
			cycles: 4,
			period: 800,
		},
		{
			swings: [
				[LEFT_LEG, 90, 20],
				[RIGHT_LEG, 90, 20],
				[LEFT_FOOT, 90, 0],
				[RIGHT_FOOT, 90, 0],
				[LEFT_HAND, 90, 30],
				[RIGHT_HAND, 90, 30],
			],
			cycles: 4,
			period: 1000,
		},
	],
};

/** Otto turns while one hand follows the other in a circle. */
const magicCircle: Motion = {
	before: [
		{
			swings: [
				[LEFT_LEG, 90, 30],
				[RIGHT_LEG, 90, 10],
				[LEFT_FOOT, 94, 20, -90],
				[RIGHT_FOOT, 86, 20, -90],
				[LEFT_HAND, 90, 60],
				[RIGHT_HAND, 90, 60, 90],
			],
			cycles: 6,
			period: 900,
		},
	],
};

/** What each action of `self.otto.action` does; `home` and `showcase` are made of others. */
export const MOTIONS: { readonly [action: string]: Motion } = Object.freeze(
	{
		walk,
		turn,
		jump,
		swing,
		moonwalk,
		bend,
		shake_leg: shakeLeg,
		updown: upDown,
		whirlwind_leg: whirlwindLeg,
		tiptoe_swing: tiptoeSwing,
		jitter,
		ascending_turn: ascendingTurn,
		crusaito,
		flapping,
		sit,
		hands_up: handsUp,
		hands_down: handsDown,
		hand_wave: handWave,
		windmill,
		takeoff,
		fitness,
		greeting,
		shy,
		radio_calisthenics: radioCalisthenics,
		magic_circle: magicCircle,
	},
	true,
);
