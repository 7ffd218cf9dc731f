// Every backend profile against the firmware on the XS engine.

import { expect, test } from "@jest/globals";
import { createLauncher } from "../support/launch.js";
import { TestBackend } from "../support/test-backend.js";
import { PROFILES, type Step } from "./profiles.js";

test.each(PROFILES.map((profile) => [profile.name, profile] as const))("%s", async (_name, { form, steps }) => {
	const backend = await TestBackend.listen({ verify: ({ headers }) => (headers.connection === "Upgrade" ? 101 : 200) });
	const firmware = await createLauncher("xs").launch(form === "envelope" ? backend.url : { endpoint: backend.url });
	try {
		const device = await backend.connection();
		const cursors = new Set<string>();
		let last: { [key: string]: unknown } | undefined;
		const take = async (conditions: { readonly [condition: string]: (message: unknown) => unknown }) => {
			last = await device.next();
			for (const [condition, holds] of Object.entries(conditions)) expect([condition, Boolean(holds(last)), last]).toEqual([condition, true, last]);
		};
		const run = async (step: Step): Promise<void> => {
			if ("hello" in step)
				await take({ "a hello with features.mcp": (message) => (message as { features?: { mcp?: boolean } }).features?.mcp === true });
			else if ("send" in step) device.send(step.send);
			else if ("expect" in step) await take(step.expect);
			else
				for (;;) {
					const payload = (last?.payload ?? last) as { result: { nextCursor?: string; tools: unknown[] } };
					const { nextCursor } = payload.result;
					if (nextCursor === undefined) break;
					expect(cursors.has(nextCursor)).toBe(false);
					cursors.add(nextCursor);
					device.send(step.page(nextCursor));
					await take({ "a page with tools": (message) => ((message as { payload?: unknown }).payload ?? message) !== undefined });
				}
			if ("page" in step) cursors.clear();
		};
		for (const step of steps) await run(step);
		// It is still there, and has sent nothing that was not asked for.
		expect(device.waiting).toBe(0);
		expect(firmware.log.filter((line) => /abort|unhandled/i.test(line))).toEqual([]);
	} finally {
		await firmware.close();
		await backend.close();
	}
});
