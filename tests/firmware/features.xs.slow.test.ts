// The firmware without each of the features that a board can leave out, on the XS engine.

import { expect, test } from "@jest/globals";
import { FEATURES, launch } from "./features.js";

const lines: Record<string, [config: Record<string, unknown>, line: string]> = {
	configuration: [{ ota_url: "http://127.0.0.1:9/" }, "start: ota_url is not asked: this firmware was built without the configuration server"],
	framed: [{ framed_address: "tcp://127.0.0.1:9", framed_token: "t" }, "this firmware was built without the framed service"],
	http: [{ http_port: 8089 }, "this firmware was built without MCP over HTTP"],
	mdns: [{}, "nothing to connect to"],
	mqtt: [{ mqtt_endpoint: "127.0.0.1:9", mqtt_publish: "a", mqtt_subscribe: "b" }, "this firmware was built without MQTT"],
	resources: [{}, "nothing to connect to"],
	setup: [{}, "nothing to connect to"],
	timers: [{ timezone: "+08:00" }, "main: timezone is not used: this firmware was built without timers"],
	tls: [{ url: "wss://127.0.0.1:9/" }, "a wss:// address needs TLS, which this build was not given"],
	upgrade: [{}, "nothing to connect to"],
	vision: [{}, "nothing to connect to"],
};

test.each(FEATURES)("without %s it starts, and a setting for it costs a line", async (feature) => {
	const [config, line] = lines[feature] ?? [{}, ""];
	expect(line).not.toBe("");
	await launch([feature], config, line);
});
