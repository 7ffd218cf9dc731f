// How long the simulated strip is: the board and its tools have to agree on it.

/** In pixels. */
export const STRIP_LENGTH = 8;
