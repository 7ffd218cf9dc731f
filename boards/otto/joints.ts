// Otto's six servos: the right side's are mounted the other way round than the left side's.

/** The indexes of the joints in motions. */
export const LEFT_LEG = 0;
export const RIGHT_LEG = 1;
export const LEFT_FOOT = 2;
export const RIGHT_FOOT = 3;
export const LEFT_HAND = 4;
export const RIGHT_HAND = 5;

/** The joints' names by index. */
export const JOINTS: readonly string[] = Object.freeze(["left_leg", "right_leg", "left_foot", "right_foot", "left_hand", "right_hand"]);

/** The rest positions by index, in degrees: upright, the hands down at the sides. */
export const HOMES: readonly number[] = Object.freeze([90, 90, 90, 90, 45, 135]);

/** The largest trim to either side in degrees. */
export const TRIM_LIMIT = 50;
