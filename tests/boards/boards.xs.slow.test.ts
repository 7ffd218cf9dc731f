// Every folder in boards/ passes the board suite on the XS engine.

import { boardNames } from "../../cli/boards.js";
import { boardSuite } from "./board-suite.js";

for (const name of boardNames()) boardSuite(name, "xs", true);
