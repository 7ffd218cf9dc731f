// Clock and names on the XS engine, against a real server.

import { describeScenarios } from "../support/describe-scenarios.js";
import { datagramsSuite } from "./datagrams-suite.js";

describeScenarios("xs", datagramsSuite);
