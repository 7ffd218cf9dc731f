// What the dog can do, as tables. A leg stands upright at 90 degrees; at smaller angles the left feet, at larger ones the
// right feet are further in front when they are front legs, and further behind when they are back legs.

import type { Motion } from "hardware/body";
import { BACK_LEFT, BACK_RIGHT, FRONT_LEFT, FRONT_RIGHT } from "./legs.js";

/** How far a foot swings to either side of its leg's upright position, in degrees. */
const STEP = 20;
/** How far one foot of a pair lags behind the other, in degrees of the wave: the push comes from that. */
const LAG = 22.5;

/** A travelling wave: the feet of one side go forward while the other side's push back. Backward is the same in reverse. */
const walk: Motion = {
	cycle: [
		{
			swings: [
				[FRONT_LEFT, 90, STEP, 180],
				[FRONT_RIGHT, 90, STEP, 180 + LAG],
				[BACK_LEFT, 90, STEP, -LAG],
				[BACK_RIGHT, 90, STEP, 0],
			],
		},
	],
	direction: "reverse",
};

/** All feet swing to and fro together, one diagonal pair lagging, which turns the dog to the left; mirrored to the right. */
const turn: Motion = {
	cycle: [
		{
			swings: [
				[FRONT_LEFT, 90, STEP, 180 - LAG],
				[FRONT_RIGHT, 90, STEP, 0],
				[BACK_LEFT, 90, STEP, 0],
				[BACK_RIGHT, 90, STEP, 180 - LAG],
			],
		},
	],
	direction: "mirror",
};

/** The body rocks forward and back, less and less. */
const swayBackForth: Motion = {
	cycle: [
		{
			swings: [
				[FRONT_LEFT, 90, 18, 180],
				[FRONT_RIGHT, 90, 18],
				[BACK_LEFT, 90, 18, 180],
				[BACK_RIGHT, 90, 18],
			],
			cycles: 2,
		},
		{
			swings: [
				[FRONT_LEFT, 90, 12, 180],
				[FRONT_RIGHT, 90, 12],
				[BACK_LEFT, 90, 12, 180],
				[BACK_RIGHT, 90, 12],
			],
			cycles: 2,
		},
		{
			swings: [
				[FRONT_LEFT, 90, 6, 180],
				[FRONT_RIGHT, 90, 6],
				[BACK_LEFT, 90, 6, 180],
				[BACK_RIGHT, 90, 6],
			],
			cycles: 2,
		},
	],
};

/** The front feet go far forward and the back feet far back, until the belly is on the floor. */
const layDown: Motion = {
	cycle: [
		{
			angles: [
				[FRONT_LEFT, 35],
				[FRONT_RIGHT, 145],
				[BACK_LEFT, 35],
				[BACK_RIGHT, 145],
			],
			time: 800,
		},
	],
	stays: true,
};

/** One side sinks while the other rises. */
const sway: Motion = {
	cycle: [
		{
			swings: [
				[FRONT_LEFT, 75, 15, 180],
				[BACK_LEFT, 75, 15, 180],
				[FRONT_RIGHT, 105, 15, 180],
				[BACK_RIGHT, 105, 15, 180],
			],
		},
	],
};

/** All feet come together under the body. */
const retractLegs: Motion = {
	cycle: [
		{
			angles: [
				[FRONT_LEFT, 140],
				[FRONT_RIGHT, 40],
				[BACK_LEFT, 140],
				[BACK_RIGHT, 40],
			],
			time: 800,
		},
	],
	stays: true,
};

/** The dog leans back, lifts the front right paw and moves it up and down. */
const shakeHand: Motion = {
	before: [
		{
			angles: [
				[FRONT_LEFT, 80],
				[BACK_LEFT, 125],
				[BACK_RIGHT, 55],
			],
			time: 500,
		},
		{ angles: [[FRONT_RIGHT, 155]], time: 400, hold: 200 },
	],
	cycle: [{ swings: [[FRONT_RIGHT, 150, 15]] }],
	after: [{ angles: [[FRONT_RIGHT, 90]], time: 400 }],
};

/** The dog stretches: down in front, then the back legs shake. */
const shakeBackLegs: Motion = {
	before: [
		{
			angles: [
				[FRONT_LEFT, 45],
				[FRONT_RIGHT, 135],
			],
			time: 600,
			hold: 300,
		},
	],
	cycle: [
		{
			swings: [
				[BACK_LEFT, 90, 15],
				[BACK_RIGHT, 90, 15],
			],
		},
	],
};

/** The dog crouches and kicks all feet back at once. */
const jumpForward: Motion = {
	cycle: [
		{
			angles: [
				[FRONT_LEFT, 60],
				[FRONT_RIGHT, 120],
				[BACK_LEFT, 125],
				[BACK_RIGHT, 55],
			],
			time: 400,
			hold: 100,
		},
		{
			angles: [
				[FRONT_LEFT, 125],
				[FRONT_RIGHT, 55],
				[BACK_LEFT, 50],
				[BACK_RIGHT, 130],
			],
			time: 0,
			hold: 60,
		},
		{
			angles: [
				[FRONT_LEFT, 90],
				[FRONT_RIGHT, 90],
				[BACK_LEFT, 90],
				[BACK_RIGHT, 90],
			],
			time: 200,
		},
	],
};

/** How a tool asks for a motion. */
export interface DogAction {
	readonly motion: Motion;
	readonly direction?: number;
	/** The default number of steps. */
	readonly steps: number;
	/** In milliseconds. */
	readonly period: number;
}

/** The actions of `self.dog.basic_control` that move. */
export const BASIC: { readonly [action: string]: DogAction } = Object.freeze(
	{
		forward: { motion: walk, steps: 4, period: 500 },
		backward: { motion: walk, direction: -1, steps: 4, period: 500 },
		turn_left: { motion: turn, steps: 4, period: 400 },
		turn_right: { motion: turn, direction: -1, steps: 4, period: 400 },
	},
	true,
);

/** The actions of `self.dog.advanced_control`. */
export const ADVANCED: { readonly [action: string]: DogAction } = Object.freeze(
	{
		sway_back_forth: { motion: swayBackForth, steps: 1, period: 400 },
		lay_down: { motion: layDown, steps: 1, period: 800 },
		sway: { motion: sway, steps: 4, period: 700 },
		retract_legs: { motion: retractLegs, steps: 1, period: 800 },
		shake_hand: { motion: shakeHand, steps: 4, period: 500 },
		shake_back_legs: { motion: shakeBackLegs, steps: 5, period: 300 },
		jump_forward: { motion: jumpForward, steps: 2, period: 500 },
	},
	true,
);
