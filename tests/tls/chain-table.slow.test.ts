// The table of certificates and chains that openssl makes, against the firmware's checker with Node's arithmetic.

import { expect, test } from "@jest/globals";
import { checkChain } from "../../src/tls/certificate-chain.js";
import { makeChains } from "../support/chains.mjs";
import { nodeVerify } from "../support/node-verify.js";

const { certificates, cases } = makeChains();
const bytes = (indexes: readonly number[]) => indexes.map((i) => new Uint8Array(Buffer.from(certificates[i] ?? "", "hex")));

test("has at least 60 chains", () => expect(cases.length).toBeGreaterThanOrEqual(60));

test.each(cases.map((one) => [one.title, one] as const))("%s", (_title, { chain, trusted, host, now, use, expected }) => {
	let signatures = 0;
	const verdict = checkChain({
		chain: bytes(chain),
		trusted: bytes(trusted),
		host,
		now,
		use,
		verify(...args) {
			signatures++;
			return nodeVerify(...args);
		},
	});
	const found = "problem" in verdict ? verdict.problem : "good";
	if (expected === "good") expect(found).toBe("good");
	else expect(found).toContain(expected);
	// No certificate makes the device compute for long, and what a glance refuses costs no arithmetic.
	expect(signatures).toBeLessThanOrEqual(10);
	if (/expired|valid from|no CA"|not supported|may not|understood/.test(expected)) expect(signatures).toBe(0);
});
