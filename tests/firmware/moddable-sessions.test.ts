// The session tests in Moddable's simulator; `npm run test:moddable` builds the app and runs them.

import { readCertificate } from "../support/certificates.mjs";
import { launchModdable } from "../support/moddable.js";
import { describeSecureSessions } from "./secure-sessions.js";
import { describeSessions, type Launcher } from "./sessions.js";

const { MODDABLE_PORT, MODDABLE_CA } = process.env;
if (!MODDABLE_PORT) throw new Error("run these tests by `npm run test:moddable`");

const launcher: Launcher = { port: Number(MODDABLE_PORT), launch: async () => launchModdable() };

if (MODDABLE_CA) describeSecureSessions("Moddable's simulator", readCertificate(JSON.parse(MODDABLE_CA)), launcher);
else describeSessions("Moddable's simulator", launcher);
