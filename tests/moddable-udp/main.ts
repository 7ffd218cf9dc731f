// The scenarios of clock, names and announcement in Moddable's simulator, on the SDK's own UDP, name resolver and DNS-SD.

import config from "mc/config";
import { runScenarios } from "../support/scenario.js";
import { announcementScenarios } from "../system/announcement-scenarios.js";
import { datagramScenarios } from "../system/datagram-scenarios.js";

const port = Number((config as { port?: number | string }).port);
if (port > 0) runScenarios([...datagramScenarios, ...announcementScenarios], port);
else trace("not ok 0: no port; run this with `npm run test:moddable`\n");
