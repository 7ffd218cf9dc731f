// A slot for the next firmware that takes an image and forgets it: what is simulated is how it gets there.

import type { FirmwareSlot, FirmwareWriter } from "hardware/hardware";
import { show } from "simulator/panel";

const SLOT_BYTES = 2 * 1024 * 1024;

/** Shows `{written, complete}`. */
export class SimulatedFirmware implements FirmwareSlot {
	readonly size: number = SLOT_BYTES;

	open(byteLength: number): FirmwareWriter {
		if (byteLength > SLOT_BYTES) throw new RangeError("the image is larger than the slot");
		let written = 0;
		let open = true;
		return {
			write(bytes) {
				if (!open) throw new Error("the slot is closed");
				written += bytes.byteLength;
			},
			complete() {
				if (written !== byteLength) throw new Error(`${written} of ${byteLength} bytes were written`);
				show("firmware", { written, complete: true });
			},
			close() {
				if (open) show("firmware", { written, complete: written === byteLength });
				open = false;
			},
		};
	}
}
