// The WebSocket transport on Node, against a real server.

import { describeScenarios } from "../support/describe-scenarios.js";
import { websocketSuite } from "./websocket-suite.js";

describeScenarios("node", websocketSuite);
