// The light breathes until it is given another color.

import type { Bench } from "../bench.js";

export default async function check({ call, shown }: Bench): Promise<void> {
	await call("self.light.breathe", { hue: 240, breaths: 60 });
	// Blue, and brighter than at the beginning.
	await shown(({ light }) => (light?.pixels?.[0]?.[2] ?? 0) > 60 && light.pixels[0][0] === 0);
	await call("self.light.set_rgb", { r: 9, g: 0, b: 0 });
	await shown(({ light }) => light?.pixels?.[0]?.[0] > 0 && light.pixels[0][2] === 0);
}
