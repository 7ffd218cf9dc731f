// New firmware over the network; undefined where a board leaves it out.

import { FirmwareUpgrade } from "../system/upgrade.js";

const feature: typeof FirmwareUpgrade | undefined = FirmwareUpgrade;
export default feature;
