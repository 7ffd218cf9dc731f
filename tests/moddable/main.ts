// The test app for the Moddable simulator: runs every scenario against the peer on 127.0.0.1.

import config from "mc/config";
import { runScenarios } from "./scenario.js";
import { transportScenarios } from "./transport-scenarios.js";

const settings = config as { port?: number | string; only?: string };
const port = Number(settings.port);
const only = settings.only ?? "";
if (port > 0) runScenarios(transportScenarios.filter(({ title }) => title.includes(only)), port);
else trace("not ok 0: no port; run this with `npm run test:moddable`\n");
