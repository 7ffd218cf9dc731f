// The length of the strip, shared by the board and its tools.

/** In LEDs. */
export const STRIP_LENGTH = 8;
