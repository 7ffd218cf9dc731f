// A vision server that looks at photos; undefined where a board leaves it out.

import { createVision } from "../system/vision.js";

const feature: typeof createVision | undefined = createVision;
export default feature;
