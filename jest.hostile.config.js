// `npm run test:hostile`: hostile peers in volume against the whole firmware; HOSTILE_MESSAGES says how many messages.

import base from "./jest.config.js";

/** @type {import("jest").Config} */
export default { ...base, testMatch: ["**/tests/hostile/*.test.ts"], testPathIgnorePatterns: ["/node_modules/"] };
