// Says which test files did not run for want of the XS engine, and why.

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { whyNoWorker } from "../../simulator/xs-worker.mjs";

export default class NotRun {
	onRunComplete() {
		const reason = whyNoWorker();
		if (reason === undefined) return;
		const files = readdirSync(fileURLToPath(new URL("../", import.meta.url)), { recursive: true, encoding: "utf8" });
		const missing = files.filter((file) => /\.xs\.(slow\.)?test\.ts$/.test(file)).map((file) => `  tests/${file}`);
		console.error(`\nNOT RUN: ${missing.length} files whose tests need the XS engine: ${reason}.\n${missing.sort().join("\n")}`);
	}
}
