// Every example passes the board suite, compiles, and does what its own check says, on XS.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { root } from "../../cli/boards.js";
import type { Bench } from "../../examples/bench.js";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { whyNoWorker } from "../../simulator/xs-worker.mjs";
import { boardSuite } from "../boards/board-suite.js";
import { type BackendConnection, type Message, TestBackend } from "../support/test-backend.js";

const folder = join(root, "examples");
const names = readdirSync(folder, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);
const backend = await TestBackend.listen();
afterAll(() => backend.close());

describe.each(names)("examples/%s", (name) => {
	boardSuite(join(folder, name), "node", true);

	test("does what its check says", async () => {
		const { default: check } = (await import(`../../examples/${name}/check.js`)) as { default(bench: Bench): Promise<void> };
		const state: Record<string, unknown> = {};
		const watchers = new Set<() => void>();
		const device = await runDevice({
			board: join(folder, name),
			engine: whyNoWorker() ? "node" : "xs",
			config: { url: backend.url, device_id: "02:00:00:00:00:01", client_id: "00000000-0000-4000-8000-000000000001" },
			onShow(part, value) {
				state[part] = value;
				for (const watch of watchers) watch();
			},
		});
		try {
			await check(createBench(device, await backend.session(), state, watchers));
		} finally {
			await device.close();
		}
	});
});

function createBench(device: RunningDevice, connection: BackendConnection, state: object, watchers: Set<() => void>): Bench {
	const messages: Message[] = [];
	let wake = () => {};
	connection.socket.on("message", (data: Buffer) => {
		messages.push(JSON.parse(data.toString()));
		wake();
	});
	return {
		expect,
		call: (tool, args) => connection.call(tool, args),
		result: async (tool, args) => (await connection.ask("tools/call", { name: tool, arguments: args })).result,
		send: (method, params, id) => connection.send({ type: "mcp", payload: { jsonrpc: "2.0", method, params, ...(id !== undefined && { id }) } }),
		async message(passes) {
			for (;;) {
				const message = messages.shift();
				if (message === undefined) await new Promise<void>((resolve) => (wake = resolve));
				else if (passes(message)) return message;
			}
		},
		input: (part, input) => device.input(part, input),
		async restart() {
			await connection.call("self.reboot");
			const next = await backend.session();
			return createBench(device, next, state, watchers);
		},
		shown: (passes) =>
			new Promise((resolve) => {
				const watch = () => {
					if (!passes(state)) return;
					watchers.delete(watch);
					resolve();
				};
				watchers.add(watch);
				watch();
			}),
	};
}
