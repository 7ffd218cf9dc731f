// "embedded:storage/flash": only the partitions that an ESP32's firmware runs from and that its next one goes to.

import { IMAGE, SLOT_BYTES } from "simulator/slots";

/** Where an image's description begins, and its length (ESP-IDF, "App Image Format"). */
const DESCRIPTION_OFFSET = 32;
const DESCRIPTION_BYTES = 256;

export default Object.freeze({
	/** @throws Error for any other partition */
	open({ path }: { path: string }) {
		if (path !== "nextota" && path !== "running") throw new Error("partition not found");
		return {
			status: () => ({ size: SLOT_BYTES, blockLength: 4096 }),
			/** Knows the description of the image that runs. */
			read: (byteLength: number, byteOffset: number) =>
				path === "running" && byteOffset === DESCRIPTION_OFFSET ? description().buffer.slice(0, byteLength) : new ArrayBuffer(byteLength),
			close() {},
		};
	},
});

function description(): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(DESCRIPTION_BYTES);
	bytes.set([0x32, 0x54, 0xcd, 0xab]);
	for (const [text, offset] of [
		[IMAGE.time, 80],
		[IMAGE.date, 96],
		[IMAGE.idfVersion, 112],
	] as const)
		bytes.set(new Uint8Array(ArrayBuffer.fromString(text)), offset);
	return bytes;
}
