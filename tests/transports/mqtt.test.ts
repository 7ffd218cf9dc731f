import { describeScenarios } from "../support/describe-scenarios.js";
import { startMqttPeer } from "./mqtt-peer.mjs";
import { mqttScenarios } from "./mqtt-scenarios.js";

describeScenarios(
	"the MQTT transport",
	"mqtt",
	mqttScenarios(() => 0),
	startMqttPeer,
);
