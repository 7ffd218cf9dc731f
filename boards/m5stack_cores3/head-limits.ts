// How far the head on a StackChan base turns, in degrees; 0 is straight ahead.

/** To its left (negative) and to its right. */
export const YAW_LIMIT = 128;
/** Up; it does not nod below straight ahead. */
export const PITCH_LIMIT = 90;
