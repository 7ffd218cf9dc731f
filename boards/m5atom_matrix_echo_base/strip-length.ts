// How long the matrix is: the board and its tools have to agree on it.

/** In LEDs: 5 rows of 5, the first at the upper left. */
export const STRIP_LENGTH = 25;
