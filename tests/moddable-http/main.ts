// The HTTP scenarios in Moddable's simulator, on the SDK's own client.

import config from "mc/config";
import { httpScenarios } from "../http/client-scenarios.js";
import { runScenarios } from "../support/scenario.js";

const port = Number((config as { port?: number | string }).port);
if (port > 0) runScenarios(httpScenarios, port);
else trace("not ok 0: no port; run this with `npm run test:moddable`\n");
