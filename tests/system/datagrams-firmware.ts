// The scenarios of clock and names as firmware for a simulated machine; `datagrams.test.ts` reads its log.

import config from "mc/config";
import { runScenarios } from "../support/scenario.js";
import { datagramScenarios } from "./datagram-scenarios.js";

runScenarios(datagramScenarios, Number((config as { port?: number }).port));
