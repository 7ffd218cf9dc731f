// The six servos of the ElectronBot: two for each arm, one for the body, one for the head.

/** The indexes of the joints in motions. */
export const RIGHT_PITCH = 0;
export const RIGHT_ROLL = 1;
export const LEFT_PITCH = 2;
export const LEFT_ROLL = 3;
export const BODY = 4;
export const HEAD = 5;

/** The joints' names by index. */
export const JOINTS: readonly string[] = Object.freeze(["right_pitch", "right_roll", "left_pitch", "left_roll", "body", "head"]);
/** The short names by index, which the reference firmware accepts as well. */
export const SHORT_NAMES: readonly string[] = Object.freeze(["rp", "rr", "lp", "lr", "b", "h"]);

/** The smallest angles by index, in degrees: what the mechanics allow. */
export const MINIMUMS: readonly number[] = Object.freeze([0, 100, 0, 0, 30, 75]);
/** The largest angles by index, in degrees. */
export const MAXIMUMS: readonly number[] = Object.freeze([180, 180, 180, 80, 150, 105]);
/** The rest positions by index, in degrees: arms down, looking straight ahead. */
export const HOMES: readonly number[] = Object.freeze([180, 180, 0, 0, 90, 90]);

/** The largest trim to either side in degrees. */
export const TRIM_LIMIT = 30;
