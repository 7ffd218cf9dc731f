// The MQTT transport on Node, against a real server.

import { describeScenarios } from "../support/describe-scenarios.js";
import { mqttSuite } from "./mqtt-suite.js";

describeScenarios("node", mqttSuite);
