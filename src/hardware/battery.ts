// A battery gauge.

/** A battery gauge. */
export interface Battery {
	/** Charge, 0 to 100. */
	readonly level: number;
	readonly charging: boolean;
}
