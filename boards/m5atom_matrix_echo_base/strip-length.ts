// The length of the matrix, shared by the board and its tools.

/** In LEDs: 5 rows of 5, the first at the upper left. */
export const STRIP_LENGTH = 25;
