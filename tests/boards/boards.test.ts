// Every folder in boards/ passes the board suite on Node, or all of it the one folder that BOARD names (`npm run check:board`);
// boards.xs.slow.test.ts runs all of it on the XS engine.

import { boardNames } from "../../cli/boards.js";
import { boardSuite } from "./board-suite.js";

const { BOARD } = process.env;
for (const board of BOARD ? [BOARD] : boardNames()) boardSuite(board, "node", BOARD !== undefined);
