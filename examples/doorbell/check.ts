// Who rings is announced to the assistant, and counted.

import type { Bench } from "../bench.js";

export default async function check({ call, expect, input, message }: Bench): Promise<void> {
	input("button0", { pressed: true });
	const said = await message(({ type }) => type === "listen");
	expect(said).toMatchObject({ state: "detect", text: "Somebody is ringing at the door." });
	input("button0", { pressed: false });
	expect(JSON.parse(await call("self.bell.get_rings"))).toEqual({ rings: 1 });
}
