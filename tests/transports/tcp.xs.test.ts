// The TCP transport on the XS engine, against a real server.

import { describeScenarios } from "../support/describe-scenarios.js";
import { tcpSuite } from "./tcp-suite.js";

describeScenarios("xs", tcpSuite);
