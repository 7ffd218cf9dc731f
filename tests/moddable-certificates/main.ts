// The table of certificates and chains in Moddable's simulator, with the SDK's arithmetic.

import Resource from "sdk/resource";
import { checkImage } from "system/signed-image";
import { parseCertificate } from "tls/certificate";
import { checkChain } from "tls/certificate-chain";
import { verifySignature } from "tls/signatures";
import type { ChainTable } from "../support/chains.d.mts";
import { runScenarios, type Scenario } from "../support/scenario.js";

const { certificates, cases, image } = JSON.parse(String.fromArrayBuffer(new Resource("chains.dat").slice(0))) as ChainTable;

function bytesOf(hex = ""): Uint8Array {
	return Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}

function bytes(indexes: readonly number[]): Uint8Array[] {
	return indexes.map((i) => bytesOf(certificates[i]));
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
	title: "a firmware image's signature fits that image, piece by piece, and no other",
	async run(check) {
		const { key } = parseCertificate(bytesOf(certificates[image.certificate]));
		if (typeof key === "string") throw new Error(key);
		const whole = bytesOf(image.bytes);
		const holds = (change: number) => {
			const checking = checkImage(key, bytesOf(image.signature));
			for (let at = 0; at < whole.byteLength; at += 700) checking.write(whole.subarray(at, at + 700));
			checking.write(new Uint8Array(change));
			return checking.holds();
		};
		check.same([holds(0), holds(1)], [true, false]);
	},
});
scenarios.push({
	title: "none blocks the machine for long",
	async run(check) {
		check.note(`the longest check took ${longest} ms: ${slowest}`);
		check.that(cases.length >= 60, `there are ${cases.length} chains`);
	},
});
runScenarios(scenarios, 0);
