// The table of certificates and chains in Moddable's simulator, with the SDK's arithmetic.

import { checkChain } from "tls/certificate-chain";
import { verifySignature } from "tls/signatures";
import Resource from "../../src/sdk/resource.js";
import type { ChainTable } from "../support/chains.d.mts";
import { runScenarios, type Scenario } from "../support/scenario.js";

const { certificates, cases } = JSON.parse(String.fromArrayBuffer(new Resource("chains.json").slice(0))) as ChainTable;

function bytes(indexes: readonly number[]): Uint8Array[] {
	return indexes.map((i) => {
		const hex = certificates[i] ?? "";
		return Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
	});
}

let longest = 0;
let slowest = "";
const scenarios: Scenario[] = cases.map(({ title, chain, trusted, host, now, use, expected }) => ({
	title,
	async run(check) {
		const [sent, known] = [bytes(chain), bytes(trusted)];
		const start = Date.now();
		const verdict = checkChain({ chain: sent, trusted: known, host, now, use, verify: verifySignature });
		const took = Date.now() - start;
		if (took > longest) [longest, slowest] = [took, title];
		const found = "problem" in verdict ? verdict.problem : "good";
		check.that(expected === "good" ? found === "good" : found.includes(expected), found);
	},
}));
scenarios.push({
	title: "none blocks the machine for long",
	async run(check) {
		check.note(`the longest check took ${longest} ms: ${slowest}`);
		check.that(cases.length >= 60, `there are ${cases.length} chains`);
	},
});
runScenarios(scenarios, 0);
