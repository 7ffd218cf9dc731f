// Moddable's modules that only an ESP32 has: Wi-Fi (modules/network/wifi), flash and update (modules/io), as far as this project uses them.

declare module "wifi" {
	/** See src/drivers/esp32-wifi.ts for what is used of it. */
	const WiFi: object;
	export default WiFi;
}

declare module "embedded:storage/flash" {
	interface Partition {
		status(): { size: number };
		read(byteLength: number, byteOffset: number): ArrayBuffer;
		close(): void;
	}

	const flash: {
		/** Throws where there is no such partition. */
		open(options: { path: string }): Partition;
	};
	export default flash;
}

declare module "embedded:update" {
	interface Update {
		write(bytes: Uint8Array): void;
		/** Checks the image and has it started next time. */
		complete(): void;
		close(): void;
	}

	const Update: {
		open(options: { partition: object; byteLength?: number; mode?: "a" | "w" }): Update;
	};
	export default Update;
}
