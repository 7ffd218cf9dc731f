// The scenarios of HTTP and the server that they need.

import type { Scenarios } from "../support/describe-scenarios.js";
import { httpScenarios } from "./client-scenarios.js";
import { startHttpPeer } from "./peer.mjs";

export const httpSuite: Scenarios = ["HTTP", "http", httpScenarios, startHttpPeer, "tests/http/firmware.ts"];
