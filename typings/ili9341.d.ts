// Moddable's driver for displays with an ILI9341 or a relative of it (modules/drivers/ili9341); the SDK has no types for it.

declare module "ili9341" {
	import type PixelsOut from "commodetto/PixelsOut";

	/** On the pins and in the size that the target's manifest defines; it has to be out of reset. */
	const Ili9341: new (options: object) => PixelsOut & { close(): void };
	export default Ili9341;
}
