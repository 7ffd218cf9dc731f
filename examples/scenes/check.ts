// A scene is a tool as long as it is kept, also over a restart of the device.

import type { Bench } from "../bench.js";

export default async function check({ call, shown, expect, restart }: Bench): Promise<void> {
	await call("self.scene.save", { name: "sunset", red: 200, green: 40, blue: 0 });
	await call("self.scene.show_sunset");
	await shown(({ light }) => light?.on && light.pixels[0][0] > light.pixels[0][1] && light.pixels[0][2] === 0);
	await expect(call("self.scene.save", { name: "Sunset", red: 0, green: 0, blue: 0 })).rejects.toThrow("name");

	const again = await restart();
	expect(JSON.parse(await again.call("self.scene.list"))).toEqual({ names: ["sunset"] });
	await again.call("self.scene.show_sunset");
	await again.call("self.scene.delete", { name: "sunset" });
	await expect(again.call("self.scene.show_sunset")).rejects.toThrow("Unknown tool");
	await expect(again.call("self.scene.delete", { name: "sunset" })).rejects.toThrow("There is no scene sunset; there are: none");
}
