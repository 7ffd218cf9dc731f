// The fault matrix on the XS engine, with the clock moved by hand.

import { XsBench } from "./bench.js";
import { describeFaults } from "./matrix.js";

describeFaults("the XS engine", () => new XsBench());
