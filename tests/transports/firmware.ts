// The WebSocket scenarios as firmware for a simulated machine; `websocket.test.ts` reads its log.

import config from "mc/config";
import { runScenarios } from "./scenario.js";
import { websocketScenarios } from "./websocket-scenarios.js";

runScenarios(websocketScenarios, Number((config as { port?: number }).port));
