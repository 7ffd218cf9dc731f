// "embedded:update": takes an image, discards it, and shows how much of it came.

import { show } from "simulator/panel";
import { install } from "simulator/slots";

export default Object.freeze({
	/** @throws RangeError for an image that is larger than the partition */
	open({ partition, byteLength = 0 }: { partition: { status(): { size: number } }; byteLength?: number }) {
		if (byteLength > partition.status().size) throw new RangeError("invalid byteLength");
		let written = 0;
		return {
			write(bytes: Uint8Array): void {
				written += bytes.byteLength;
			},
			complete(): void {
				if (written !== byteLength) throw new Error("end failed");
				install();
				show("firmware", { written, complete: true });
			},
			close(): void {},
		};
	},
});
