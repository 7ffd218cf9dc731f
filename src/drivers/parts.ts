// The parts of a board under construction: those that answer, and those that the board has to do without.

import type { MissingPart } from "../hardware/board.js";

/** Makes the parts of one board and closes them. */
export class Parts {
	/** What did not answer, in the order of the attempts. */
	readonly missing: MissingPart[] = [];
	readonly #made: { close?(): void }[] = [];

	/** Takes over a part that cannot be missing, such as one of the chip itself. */
	add<T extends object>(part: T): T {
		this.#made.push(part as { close?(): void });
		return part;
	}

	/**
	 * Makes a part that may be missing; what is thrown is noted as the reason.
	 * @param part a short description
	 * @returns undefined when it is missing
	 */
	make<T extends object>(part: string, create: () => T): T | undefined {
		try {
			return this.add(create());
		} catch (error) {
			this.missing.push({ part, reason: error instanceof Error ? error.message : String(error) });
		}
	}

	/** Closes every part, the newest first, since later ones may use earlier ones. */
	close(): void {
		for (let part = this.#made.pop(); part; part = this.#made.pop()) {
			try {
				part.close?.();
			} catch {
				// A part that no longer answers must not keep the others from being closed.
			}
		}
	}
}
