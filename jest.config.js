// Tests run on Node in native ESM; the firmware's bare module names lead where mcconfig's manifest leads them.

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findWorker } from "./simulator/xs-worker.mjs";

/** The folders under src/, whose names begin module names of the firmware. */
const folders = readdirSync(new URL("src", import.meta.url))
	.filter((name) => !name.includes("."))
	.join("|");

/** `NAME.xs.test.ts` runs on the XS engine only, `NAME.slow.test.ts` in `npm run test:slow` only; a file can be both. */
const withoutWorker = findWorker() ? [] : ["\\.xs\\.(slow\\.)?test\\.ts$"];
/** `npm run test:moddable` runs these, in Moddable's simulator, `npm run test:browser`, in Chromium, and `npm run test:hostile`. */
export const elsewhere = [
	"/node_modules/",
	"<rootDir>/tests/moddable",
	"<rootDir>/tests/browser/",
	"<rootDir>/tests/hostile/",
	"moddable-\\w+\\.test\\.ts$",
	...withoutWorker,
];

/** @type {import("jest").Config} */
export default {
	testEnvironment: "node",
	roots: ["<rootDir>/tests"],
	// They wait for sockets and timers more than they compute.
	maxWorkers: "100%",
	testMatch: ["**/*.test.ts"],
	// A busy machine is no failure; only a test that waits in vain ends by this.
	testTimeout: 30_000,
	testPathIgnorePatterns: [...elsewhere, "\\.slow\\.test\\.ts$"],
	reporters: ["default", "<rootDir>/tests/support/not-run.mjs"],
	modulePathIgnorePatterns: ["<rootDir>/build/"],
	setupFiles: ["<rootDir>/simulator/runtime/globals.ts"],
	extensionsToTreatAsEsm: [".ts"],
	transform: {
		"\\.ts$": [
			"@swc/jest",
			{
				jsc: {
					parser: { syntax: "typescript" },
					target: "es2022",
					// Not in moduleNameMapper: that would take Node's own "net" from the packages in node_modules.
					baseUrl: fileURLToPath(new URL(".", import.meta.url)),
					paths: { net: ["./simulator/runtime/net.ts"] },
				},
				module: { type: "es6" },
				sourceMaps: "inline",
			},
		],
	},
	moduleNameMapper: {
		[`^(${folders})/(.*)$`]: "<rootDir>/src/$1/$2",
		"^board/(.*)$": "<rootDir>/boards/simulator/$1",
		"^main$": "<rootDir>/src/main.ts",
		"^timer$": "<rootDir>/simulator/runtime/timer.ts",
		"^preference$": "<rootDir>/simulator/runtime/preference.ts",
		"^mc/config$": "<rootDir>/simulator/runtime/mc-config.ts",
		"^text/decoder$": "<rootDir>/simulator/runtime/text-decoder.ts",
		"^time$": "<rootDir>/simulator/runtime/time.ts",
		"^simulator/(jpeg|names|slots|turns)$": "<rootDir>/simulator/runtime/$1.ts",
		"^embedded:io/socket/listener$": "<rootDir>/simulator/runtime/listener.ts",
		"^embedded:network/websocket/client$": "<rootDir>/simulator/runtime/websocket-client.ts",
		"^embedded:network/mqtt/client$": "<rootDir>/simulator/runtime/mqtt-client.ts",
		"^Resource$": "<rootDir>/simulator/runtime/resource.ts",
		"^crypt$": "<rootDir>/simulator/runtime/crypt.ts",
		"^(curve|ecdsa|ecp|modular)$": "<rootDir>/simulator/runtime/unavailable.ts",
		"^embedded:io/socket/tcp$": "<rootDir>/simulator/runtime/tcp.ts",
		"^embedded:io/socket/tcp/tls$": "<rootDir>/simulator/runtime/tls.ts",
		"^embedded:io/socket/udp$": "<rootDir>/simulator/runtime/udp.ts",
		"^embedded:network/dnssd$": "<rootDir>/tests/fakes/sdk/dns-sd.ts",
		"^embedded:network/dns/resolver/udp$": "<rootDir>/simulator/runtime/dns-resolver.ts",
		// Boards import these; drivers are handed the fakes.
		"^embedded:io/(digital|serial|smbus)$": "<rootDir>/tests/fakes/sdk/$1.ts",
		"^embedded:io/audio/out$": "<rootDir>/tests/fakes/sdk/audio-out.ts",
		"^embedded:io/image/in/camera$": "<rootDir>/simulator/runtime/hardware/camera.ts",
		"^embedded:storage/flash$": "<rootDir>/tests/fakes/sdk/flash.ts",
		"^embedded:update$": "<rootDir>/tests/fakes/sdk/update.ts",
		"^mc/ffi$": "<rootDir>/tests/fakes/sdk/ffi.ts",
		"^pins/servo$": "<rootDir>/tests/fakes/sdk/servo.ts",
		"^commodetto/Poco$": "<rootDir>/tests/fakes/sdk/poco.ts",
		"^commodetto/parseBMF$": "<rootDir>/tests/fakes/sdk/parse-bmf.ts",
		"^(ili9341|neopixel|wifi)$": "<rootDir>/tests/fakes/sdk/$1.ts",
		"^simulator/(panel|restart)$": "<rootDir>/tests/fakes/sdk/$1.ts",
		"^(\\.{1,2}/.*)\\.js$": ["$1.ts", "$1.js"],
	},
};
