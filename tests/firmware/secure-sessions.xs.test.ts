// The whole firmware over wss:// on the XS engine.

import { makeCertificate } from "../support/certificates.mjs";
import { createLauncher } from "../support/launch.js";
import { describeSecureSessions } from "./secure-sessions.js";

const ca = makeCertificate({ name: "Own CA", authority: true });

describeSecureSessions("the XS engine", ca, createLauncher("xs", { "own-ca.der": ca.bytes }));
