// The whole firmware over wss:// on Node.

import { expect, test } from "@jest/globals";
import { makeCertificate } from "../support/certificates.mjs";
import { createLauncher } from "../support/launch.js";
import { describeSecureSessions } from "./secure-sessions.js";

const ca = makeCertificate({ name: "Own CA", authority: true });
const resources = { "own-ca.der": ca.bytes };

describeSecureSessions("Node", ca, createLauncher("node", resources));

test("a certificate that is not in the firmware costs a line in the log", async () => {
	const firmware = await createLauncher("node").launch({ certificate: "absent.der" });
	expect(await firmware.logged(/^tls: there is no certificate "absent\.der"/)).toBeTruthy();
	await firmware.close();
});
