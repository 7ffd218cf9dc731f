import { describeScenarios } from "../support/describe-scenarios.js";
import { startPeerServer } from "./peer-server.mjs";
import { websocketScenarios } from "./websocket-scenarios.js";

describeScenarios("the WebSocket transport", "websocket", websocketScenarios, () => startPeerServer());
