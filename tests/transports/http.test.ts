// Runs the HTTP scenarios on the XS engine and on Node, against a real server.

import { describeScenarios } from "./describe-scenarios.js";
import { startHttpPeer } from "./http-peer.mjs";
import { httpScenarios } from "./http-scenarios.js";

describeScenarios("HTTP", "http", httpScenarios, startHttpPeer, "tests/transports/http-firmware.ts");
