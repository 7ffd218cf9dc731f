// The scenarios of the MQTT transport and the server that they need.

import type { Scenarios } from "../support/describe-scenarios.js";
import { startMqttPeer } from "./mqtt-peer.mjs";
import { mqttScenarios } from "./mqtt-scenarios.js";

export const mqttSuite: Scenarios = ["the MQTT transport", "mqtt", mqttScenarios(() => 0), startMqttPeer];
