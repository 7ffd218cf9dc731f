// `npm run test:slow`: the tests of volume, which `npm test` leaves out, and more random input for those that generate it.

import base, { elsewhere } from "./jest.config.js";

/** @type {import("jest").Config} */
export default {
	...base,
	testMatch: ["**/*.slow.test.ts", "**/tests/fuzz/*.test.ts"],
	testPathIgnorePatterns: elsewhere,
	globals: { fuzzCases: 10_000 },
};
