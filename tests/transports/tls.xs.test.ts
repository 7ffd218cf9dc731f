// The WebSocket transport over TLS on the XS engine, against a real server.

import { describeScenarios } from "../support/describe-scenarios.js";
import { tlsSuite } from "./tls-suite.js";

describeScenarios("xs", tlsSuite);
