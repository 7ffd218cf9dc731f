// Whoever watches the resource is told when the window is shut, and reads it.

import type { Bench } from "../bench.js";

export default async function check({ call, send, message, input, expect }: Bench): Promise<void> {
	expect(JSON.parse(await call("self.window.is_open"))).toEqual({ open: true });
	send("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "check", version: "1" } }, 1);
	await message(({ payload }) => payload?.id === 1);
	send("notifications/initialized", {});
	send("resources/subscribe", { uri: "board://input" }, 2);
	await message(({ payload }) => payload?.id === 2);

	input("button4", { pressed: true });
	const { payload } = await message(({ payload }) => payload?.method === "notifications/resources/updated");
	expect(payload.params).toEqual({ uri: "board://input" });
	send("resources/read", { uri: "board://input" }, 3);
	const { payload: read } = await message(({ payload }) => payload?.id === 3);
	expect(JSON.parse(read.result.contents[0].text)).toMatchObject({ window: { open: false } });
}
