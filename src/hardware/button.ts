// A button or a touch pad.

/** A button or a touch pad. */
export interface Button {
	readonly pressed: boolean;
	close(): void;
}
