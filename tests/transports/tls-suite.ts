// The scenarios of the WebSocket transport over TLS and the server that they need.

import type { Scenarios } from "../support/describe-scenarios.js";
import { startPeerServer } from "./peer-server.mjs";
import { tlsScenarios } from "./tls-scenarios.js";

export const tlsSuite: Scenarios = ["the WebSocket transport over TLS", "tls", tlsScenarios, () => startPeerServer({ tls: true })];
