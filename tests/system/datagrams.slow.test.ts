// Clock and names on Node, against a real server.

import { describeScenarios } from "../support/describe-scenarios.js";
import { datagramsSuite } from "./datagrams-suite.js";

describeScenarios("node", datagramsSuite);
