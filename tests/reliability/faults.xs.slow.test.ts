// The fault matrix on the XS engine, with the clock moved by hand.

import { XsBench } from "./bench.js";
import { describeFaults, describeRetries } from "./matrix.js";

describeFaults("the XS engine", () => new XsBench());
describeRetries("the XS engine", () => new XsBench());
