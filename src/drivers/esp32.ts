// The modules that reach the chip itself, as one value to hand to `Esp32System`; esp32-system.manifest.json brings them.

import FFI from "../sdk/ffi.js";
import flash from "../sdk/flash.js";
import net from "../sdk/net.js";
import update from "../sdk/update.js";
import wifi from "../sdk/wifi.js";
import type { Esp32 } from "./esp32-system.js";

export const esp32: Esp32 = Object.freeze({ ffi: FFI, flash, net, update, wifi });
