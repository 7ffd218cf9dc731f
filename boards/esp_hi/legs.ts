// The dog's four legs: one servo each, the left ones mounted the other way round than the right ones.

/** The indexes of the legs in motions. */
export const FRONT_LEFT = 0;
export const FRONT_RIGHT = 1;
export const BACK_LEFT = 2;
export const BACK_RIGHT = 3;

/** The legs' names by index. */
export const LEGS: readonly string[] = Object.freeze(["front_left", "front_right", "back_left", "back_right"]);

/** The largest trim to either side in degrees. */
export const TRIM_LIMIT = 30;
