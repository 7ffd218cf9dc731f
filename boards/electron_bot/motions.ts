// What the ElectronBot can do, as tables. Pitch raises an arm (the left one by larger, the right one by smaller angles), roll
// spreads it; larger angles turn the body to the left and lift the head.

import type { Motion, Phase } from "hardware/body";
import { BODY, HEAD, LEFT_PITCH, LEFT_ROLL, RIGHT_PITCH, RIGHT_ROLL } from "./joints.js";

/** Both arms back at the sides. */
const armsDown: Phase = {
	angles: [
		[LEFT_PITCH, 0],
		[LEFT_ROLL, 0],
		[RIGHT_PITCH, 180],
		[RIGHT_ROLL, 180],
	],
	time: [0, 1],
};

const handUp: Motion = {
	before: [
		{
			angles: [
				[LEFT_PITCH, 180],
				[RIGHT_PITCH, 0],
			],
			time: [0, 1],
		},
	],
	direction: "side",
	stays: true,
};

const handDown: Motion = { before: [armsDown], direction: "side", stays: true };

const handWave: Motion = {
	before: [
		{
			angles: [
				[LEFT_PITCH, 150],
				[RIGHT_PITCH, 30],
			],
			time: [0, 1],
		},
	],
	cycle: [
		{
			swings: [
				[LEFT_PITCH, 150, 30],
				[RIGHT_PITCH, 30, 30, 180],
			],
			rate: 2,
		},
	],
	after: [armsDown],
	direction: "side",
	stays: true,
};

/** The arms beat outward from the sides, by the request's amount. */
const handFlap: Motion = {
	before: [
		{
			angles: [
				[LEFT_ROLL, [0, 0.8]],
				[RIGHT_ROLL, [180, -0.8]],
			],
			time: [0, 0.5],
		},
	],
	cycle: [
		{
			swings: [
				[LEFT_ROLL, [0, 0.8], [0, 0.8]],
				[RIGHT_ROLL, [180, -0.8], [0, 0.8], 180],
			],
			rate: 2,
		},
	],
	after: [
		{
			angles: [
				[LEFT_ROLL, 0],
				[RIGHT_ROLL, 180],
			],
			time: [0, 0.5],
		},
	],
	direction: "side",
	amount: [10, 50],
	stays: true,
};

/** The motions of `self.electron.hand_action`, by the number of the action. */
export const HAND: readonly (Motion | undefined)[] = Object.freeze([undefined, handUp, handDown, handWave, handFlap], true);

const center: Phase = { angles: [[BODY, 90]], time: [0, 1] };
const bodyLeft: Motion = { cycle: [{ angles: [[BODY, [90, 1]]], time: [0, 1] }], between: [center], stays: true };
const bodyRight: Motion = { cycle: [{ angles: [[BODY, [90, -1]]], time: [0, 1] }], between: [center], stays: true };
const bodyCenter: Motion = { before: [center], stays: true };

/** The motions of `self.electron.body_turn`, by the number of the direction. */
export const TURN: readonly (Motion | undefined)[] = Object.freeze([undefined, bodyLeft, bodyRight, bodyCenter], true);

const headLevel: Phase = { angles: [[HEAD, 90]], time: [0, 0.34] };
const headUp: Motion = { before: [{ angles: [[HEAD, [90, 1]]], time: [0, 1] }], stays: true };
const headDown: Motion = { before: [{ angles: [[HEAD, [90, -1]]], time: [0, 1] }], stays: true };
const headNod: Motion = {
	before: [{ angles: [[HEAD, [90, 1]]], time: [0, 0.33] }, { angles: [[HEAD, [90, -1]]], time: [0, 0.33] }, headLevel],
	stays: true,
};
const headCenter: Motion = { before: [{ angles: [[HEAD, 90]], time: [0, 1] }], stays: true };
const headNods: Motion = { cycle: [{ swings: [[HEAD, 90, [0, 1]]] }], after: [headLevel], stays: true };

/** The motions of `self.electron.head_move`, by the number of the action. */
export const HEAD_MOVE: readonly (Motion | undefined)[] = Object.freeze([undefined, headUp, headDown, headNod, headCenter, headNods], true);
