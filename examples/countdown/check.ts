// A countdown reports each second and ends; one that is called off turns the light off and says nothing more.

import type { Bench } from "../bench.js";

export default async function check({ send, message, shown, expect }: Bench): Promise<void> {
	send("tools/call", { name: "self.rocket.count_down", arguments: { seconds: 2 }, _meta: { progressToken: "p" } }, 1);
	for (const [progress, text] of [
		[1, "1 …"],
		[2, "zero"],
	]) {
		const { payload } = await message(({ payload }) => payload?.method === "notifications/progress");
		expect(payload.params).toEqual({ progressToken: "p", progress, total: 2, message: text });
	}
	const { payload } = await message(({ payload }) => payload?.id === 1);
	expect(payload.result.content).toEqual([{ type: "text", text: "Liftoff!" }]);

	send("tools/call", { name: "self.rocket.count_down", arguments: { seconds: 20 } }, 2);
	await shown(({ light }) => light?.on && light.pixels[0][1] === 80);
	send("notifications/cancelled", { requestId: 2 });
	await shown(({ light }) => light?.on === false);
}
