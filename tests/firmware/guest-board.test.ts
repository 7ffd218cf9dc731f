// A board adds and removes tools while it runs, by what it is handed; in safe mode it does not.

import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "@jest/globals";
import { type Preferences, type RunningDevice, runDevice } from "../../simulator/run-device.js";

const TOOL = "self_guest_greet";
const board = fileURLToPath(new URL("guest-board", import.meta.url));

let device: RunningDevice | undefined;
afterEach(() => device?.close());

async function start(preferences: Preferences = {}): Promise<void> {
	device = await runDevice({ board, engine: "node", entry: "tests/boards/entry.ts", config: {}, preferences });
}

// biome-ignore lint/suspicious/noExplicitAny: replies are looked into freely
async function ask(method: string, params: object = {}): Promise<any[]> {
	return (await device?.evaluate(`exchange("standard",${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })})`)) as unknown[];
}

async function names(): Promise<string[]> {
	return (await ask("tools/list")).at(-1).result.tools.map(({ name }: { name: string }) => name);
}

test("a tool that the board adds is listed and called, and gone when the board takes it back", async () => {
	await start();
	expect(await names()).toContain(TOOL);
	expect((await ask("tools/call", { name: TOOL, arguments: { volume: 101 } })).at(-1).error.code).toBe(-32602);
	const [changed, reply] = await ask("tools/call", { name: TOOL, arguments: { volume: 5 } });
	expect(changed).toEqual({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
	expect(reply.result.content[0].text).toBe("Hello at 5");
	expect(await names()).not.toContain(TOOL);
	expect((await ask("tools/call", { name: TOOL })).at(-1).error.message).toBe(`Unknown tool: ${TOOL}`);
});

test("a device in safe mode offers nothing that a board adds", async () => {
	for (let run = 0; run < 3; run++) {
		await start(device?.preferences);
		await device?.close();
	}
	await start(device?.preferences);
	expect(await names()).toContain("self_get_device_status");
	expect(await names()).not.toContain(TOOL);
});
