// The scenarios of the WebSocket transport and the server that they need.

import type { Scenarios } from "../support/describe-scenarios.js";
import { startPeerServer } from "./peer-server.mjs";
import { websocketScenarios } from "./websocket-scenarios.js";

export const websocketSuite: Scenarios = ["the WebSocket transport", "websocket", websocketScenarios, () => startPeerServer()];
