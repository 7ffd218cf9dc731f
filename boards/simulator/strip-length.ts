// The length of the simulated strip, shared by the board and its tools.

/** In pixels. */
export const STRIP_LENGTH = 8;
