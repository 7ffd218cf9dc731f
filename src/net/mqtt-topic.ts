// Topics of MQTT brokers (MQTT 3.1.1, OASIS standard, section 4.7).

import { oneLine } from "../base/text.js";

/** A message on a longer topic is dropped: the SDK's client makes a buffer of the length that the broker claims. */
export const MAX_TOPIC_BYTES = 512;

/** A topic to publish or to subscribe to, without wildcards: a device hears its own topic and no other. @throws TypeError in plain words */
export function checkTopic(topic: unknown, what: string): string {
	if (typeof topic !== "string" || !topic) throw new TypeError(`the ${what} is missing`);
	if (topic.length * 3 > MAX_TOPIC_BYTES) throw new RangeError(`the ${what} is longer than ${Math.floor(MAX_TOPIC_BYTES / 3)} characters`);
	for (let i = 0; i < topic.length; i++) {
		const code = topic.charCodeAt(i);
		if (code < 0x20 || (code >= 0x7f && code < 0xa0)) throw new TypeError(`the ${what} has a control character`);
		if (topic[i] === "+" || topic[i] === "#") throw new TypeError(`the ${what} has a wildcard: ${oneLine(topic, 60)}`);
	}
	return topic;
}
