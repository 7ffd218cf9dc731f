// The HTTP scenarios as firmware for a simulated machine; `http.test.ts` reads its log.

import config from "mc/config";
import { runScenarios } from "../support/scenario.js";
import { httpScenarios } from "./client-scenarios.js";

runScenarios(httpScenarios, Number((config as { port?: number }).port));
