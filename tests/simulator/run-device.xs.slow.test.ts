// The simulated machine on the XS engine.

import { describe, expect, test } from "@jest/globals";
import { type RunDeviceOptions, runDevice } from "../../simulator/run-device.js";
import { describeDevice, MODULES } from "./device-suite.js";

describe("a device on XS", () => describeDevice("xs"));

describe("a device on XS only", () => {
	const run = (options: Partial<RunDeviceOptions> = {}) => runDevice({ board: "simulator", entry: MODULES, config: {}, engine: "xs", ...options });

	test("ends by an unhandled rejection", async () => {
		const device = await run();
		await device.evaluate("Promise.reject(new Error('unseen')), 0").catch(() => undefined);
		expect(await device.exited).toEqual({ ok: false, reason: "XS abort: unhandled rejection Error: unseen" });
	});

	test.each(["(function f() { f(); })()", "JSON.parse('['.repeat(10000))"])("ends by a stack overflow: %s", async (script) => {
		const device = await run();
		await device.evaluate(script).catch(() => undefined);
		expect(await device.exited).toEqual({ ok: false, reason: "XS abort: stack overflow" });
	});

	test("is closed even when it hangs", async () => {
		const device = await run();
		const hanging = device.evaluate("for (;;);").catch((error: Error) => error.message);
		await device.close();
		expect(await hanging).toBe("the machine has ended");
	});

	test("meters computation exactly, and heap after a collection", async () => {
		const device = await run();
		const cost = async () => {
			const before = device.meter().compute as number;
			await device.evaluate("let n = 0; for (let i = 0; i < 100; i++) n += i; n");
			return (device.meter().compute as number) - before;
		};
		await cost();
		expect(await cost()).toBe(await cost());
		await device.collectGarbage();
		const { heapSlots } = device.meter();
		await device.evaluate("globalThis.kept = Array.from({ length: 1000 }, () => ({})), 0");
		await device.collectGarbage();
		expect((device.meter().heapSlots as number) - (heapSlots as number)).toBeGreaterThan(1000);
		await device.close();
	});
});
