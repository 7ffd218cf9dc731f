// The WebSocket transport on the XS engine, against a real server.

import { describeScenarios } from "../support/describe-scenarios.js";
import { websocketSuite } from "./websocket-suite.js";

describeScenarios("xs", websocketSuite);
