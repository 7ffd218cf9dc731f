// The WebSocket transport over TLS on Node, against a real server.

import { describeScenarios } from "../support/describe-scenarios.js";
import { tlsSuite } from "./tls-suite.js";

describeScenarios("node", tlsSuite);
