// The scenarios of clock and names in Moddable's simulator, on the SDK's own UDP and name resolver.

import config from "mc/config";
import { runScenarios } from "../support/scenario.js";
import { datagramScenarios } from "../system/datagram-scenarios.js";

const port = Number((config as { port?: number | string }).port);
if (port > 0) runScenarios(datagramScenarios, port);
else trace("not ok 0: no port; run this with `npm run test:moddable`\n");
