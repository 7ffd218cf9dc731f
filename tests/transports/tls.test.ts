import { describeScenarios } from "../support/describe-scenarios.js";
import { startPeerServer } from "./peer-server.mjs";
import { tlsScenarios } from "./tls-scenarios.js";

describeScenarios("the WebSocket transport over TLS", "tls", tlsScenarios, () => startPeerServer({ tls: true }));
