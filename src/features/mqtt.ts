// MQTT: the session over a broker; undefined where a board leaves it out.

import { createMqttTransport } from "../transports/mqtt.js";

const feature: typeof createMqttTransport | undefined = createMqttTransport;
export default feature;
