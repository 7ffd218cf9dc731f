// The test app for the Moddable simulator: runs every scenario against the peer on 127.0.0.1.

import config from "mc/config";
import { runScenarios } from "../transports/scenario.js";
import { tlsScenarios } from "../transports/tls-scenarios.js";
import { websocketScenarios } from "../transports/websocket-scenarios.js";

const settings = config as { port?: number | string; only?: string };
const port = Number(settings.port);
// `mcconfig … only="close"` runs the scenarios with that word in their title.
const only = settings.only ?? "";
const scenarios = [...websocketScenarios, ...tlsScenarios].filter(({ title }) => title.includes(only));
if (port > 0) runScenarios(scenarios, port);
else trace("not ok 0: no port; run this with `npm run test:moddable`\n");
