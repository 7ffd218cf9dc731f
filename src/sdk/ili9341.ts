// Moddable's driver for displays with an ILI9341 or a relative of it, on the pins and in the size that the target's manifest defines.

import DisplayIli9341 from "ili9341";
import type { PixelsOut } from "./poco.js";

/** The display has to be out of reset. */
const Ili9341 = DisplayIli9341 as unknown as new (options: object) => PixelsOut & { close(): void };
export default Ili9341;
