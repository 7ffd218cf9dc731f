// The scenarios of one transport as firmware for a simulated machine; `describe-scenarios.ts` reads its log.

import config from "mc/config";
import { runScenarios } from "../support/scenario.js";
import { mqttScenarios } from "./mqtt-scenarios.js";
import { tcpScenarios } from "./tcp-scenarios.js";
import { tlsScenarios } from "./tls-scenarios.js";
import { websocketScenarios } from "./websocket-scenarios.js";

const { port, transport } = config as { port: number; transport: string };
const portOf = () => port;
runScenarios(
	transport === "mqtt" ? mqttScenarios(portOf) : transport === "tcp" ? tcpScenarios(portOf) : transport === "tls" ? tlsScenarios : websocketScenarios,
	port,
);
