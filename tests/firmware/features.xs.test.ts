// The firmware without any of the features that a board can leave out, on the XS engine: it starts, and says what is missing.

import { expect, test } from "@jest/globals";
import { FEATURES, launch } from "./features.js";

test("without any of them it starts", async () => {
	await launch(FEATURES, {}, "nothing to connect to");
});

test.each([
	["self.system.reconfigure_wifi", {}, "This firmware was built without the set-up page"],
	["self.upgrade_firmware", { url: "http://127.0.0.1:9/" }, "This firmware was built without upgrades"],
])("without any of them %s says so", async (name, args, message) => {
	const started = await launch(FEATURES, {}, "nothing to connect to");
	expect(await started.evaluate(`call(${JSON.stringify(name)}, ${JSON.stringify(args)})`)).toBe(message);
});
