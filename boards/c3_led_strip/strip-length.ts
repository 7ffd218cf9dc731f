// How long the strip is: the board and its tools have to agree on it.

/** In LEDs. */
export const STRIP_LENGTH = 8;
