// HTTP on Node, against a real server.

import { describeScenarios } from "../support/describe-scenarios.js";
import { httpSuite } from "./client-suite.js";

describeScenarios("node", httpSuite);
