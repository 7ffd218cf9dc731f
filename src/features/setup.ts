// The set-up page, in the device's own Wi-Fi network; undefined where a board leaves it out.

import { SetupMode } from "../system/setup-mode.js";

const feature: typeof SetupMode | undefined = SetupMode;
export default feature;
