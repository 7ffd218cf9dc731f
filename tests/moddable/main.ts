// The test app for the Moddable simulator: runs every scenario against the peers on 127.0.0.1.

import config from "mc/config";
import { parseWebSocketUrl } from "net/address";
import Timer from "timer";
import { createWebSocketTransport } from "transports/websocket";
import { runScenarios } from "../support/scenario.js";
import { mqttScenarios } from "../transports/mqtt-scenarios.js";
import { talk } from "../transports/talk.js";
import { tcpScenarios } from "../transports/tcp-scenarios.js";
import { handshakeScenarios, tlsScenarios } from "../transports/tls-scenarios.js";
import { websocketScenarios } from "../transports/websocket-scenarios.js";

const settings = config as { port?: number | string; only?: string };
const port = Number(settings.port);
// `mcconfig … only="close"` runs the scenarios with that word in their title.
const only = settings.only ?? "";
const ports = { mqtt: 0, tcp: 0 };
const scenarios = [
	...websocketScenarios,
	...tlsScenarios,
	...handshakeScenarios,
	...tcpScenarios(() => ports.tcp),
	...mqttScenarios(() => ports.mqtt),
];
if (port > 0) run();
else trace("not ok 0: no port; run this with `npm run test:moddable`\n");

async function run(): Promise<void> {
	// The other peers say through the first where they listen.
	const { next, transport } = talk(createWebSocketTransport({ timers: Timer, url: parseWebSocketUrl(`ws://127.0.0.1:${port}/ports`) }));
	Object.assign(ports, JSON.parse(await next()));
	transport.close();
	runScenarios(
		scenarios.filter(({ title }) => title.includes(only)),
		port,
	);
}
