// The MQTT transport on the XS engine, against a real server.

import { describeScenarios } from "../support/describe-scenarios.js";
import { mqttSuite } from "./mqtt-suite.js";

describeScenarios("xs", mqttSuite);
