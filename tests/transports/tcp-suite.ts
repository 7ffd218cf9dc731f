// The scenarios of the TCP transport and the server that they need.

import type { Scenarios } from "../support/describe-scenarios.js";
import { startTcpPeer } from "./tcp-peer.mjs";
import { tcpScenarios } from "./tcp-scenarios.js";

export const tcpSuite: Scenarios = ["the TCP transport", "tcp", tcpScenarios(() => 0), startTcpPeer];
