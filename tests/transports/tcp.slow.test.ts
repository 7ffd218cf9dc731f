// The TCP transport on Node, against a real server.

import { describeScenarios } from "../support/describe-scenarios.js";
import { tcpSuite } from "./tcp-suite.js";

describeScenarios("node", tcpSuite);
