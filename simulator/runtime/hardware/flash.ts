// "embedded:storage/flash": only the partition that an ESP32's next firmware goes to.

const NEXT_SLOT_BYTES = 0x1f0000;

export default Object.freeze({
	/** @throws Error for any other partition */
	open({ path }: { path: string }) {
		if (path !== "nextota") throw new Error("partition not found");
		return { status: () => ({ size: NEXT_SLOT_BYTES, blockLength: 4096 }), close() {} };
	},
});
