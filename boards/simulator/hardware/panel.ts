// The panel that the simulated parts show their state on.

/** Replaces what the panel shows of a part, such as "light", by `state`: plain data. */
export type Show = (part: string, state: object) => void;

/** Registers who takes what a person does to a part on the panel. */
export type OnInput = (part: string, handler: (input: { readonly [member: string]: unknown }) => void) => void;
