// A slot for the next firmware that takes an image and discards it: what is simulated is the way there, and the way back.

import type { FirmwareSlot, FirmwareWriter } from "hardware/firmware";
import { confirm, install, isPending, rollBack, runningSlot, SLOT_BYTES } from "simulator/slots";
import type { Show } from "./panel.js";

/** Shows `{written, complete}`. */
export class SimulatedFirmware implements FirmwareSlot {
	readonly size: number = SLOT_BYTES;
	readonly #panel: Show;

	constructor(show: Show) {
		this.#panel = show;
	}

	get running(): string {
		return runningSlot();
	}

	get onTrial(): boolean {
		return isPending();
	}

	confirm(): void {
		confirm();
	}

	rollBack(): void {
		rollBack();
	}

	open(byteLength: number): FirmwareWriter {
		if (byteLength > SLOT_BYTES) throw new RangeError("the image is larger than the slot");
		const show = this.#panel;
		let written = 0;
		let open = true;
		return {
			write(bytes) {
				if (!open) throw new Error("the slot is closed");
				written += bytes.byteLength;
			},
			complete() {
				if (written !== byteLength) throw new Error(`${written} of ${byteLength} bytes were written`);
				install();
				show("firmware", { written, complete: true });
			},
			close() {
				if (open) show("firmware", { written, complete: written === byteLength });
				open = false;
			},
		};
	}
}
