// The HTTP scenarios as firmware for a simulated machine; `http.test.ts` reads its log.

import config from "mc/config";
import { httpScenarios } from "./http-scenarios.js";
import { runScenarios } from "./scenario.js";

runScenarios(httpScenarios, Number((config as { port?: number }).port));
