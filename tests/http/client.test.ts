// Runs the HTTP scenarios on the XS engine and on Node, against a real server.

import { describeScenarios } from "../support/describe-scenarios.js";
import { httpScenarios } from "./client-scenarios.js";
import { startHttpPeer } from "./peer.mjs";

describeScenarios("HTTP", "http", httpScenarios, startHttpPeer, "tests/http/firmware.ts");
