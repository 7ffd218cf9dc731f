// The global `device`, which a target's setup makes on hardware: what boards take from it.

/** A touch panel that nobody touches. */
class Touch {
	sample(): undefined {
		return undefined;
	}

	close(): void {}
}

const before = (globalThis as { device?: object }).device;
Object.assign(globalThis, { device: { ...before, sensor: { Touch } } });

export {};
