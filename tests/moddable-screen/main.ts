// The display with a text in Moddable's simulator, on the SDK's own Poco, drawn into memory: `npm run test:moddable tests/moddable-screen`.

import Resource from "Resource";
import Bitmap from "commodetto/Bitmap";
import BufferOut from "commodetto/BufferOut";
import { TextScreen } from "drivers/text-screen";
import parseBMF from "sdk/parse-bmf";
import Poco from "sdk/poco";
import { PreferenceStore } from "settings/preference-store";
import { runScenarios, type Scenario } from "../support/scenario.js";

const WIDTH = 320;
const HEIGHT = 240;
const settings = new PreferenceStore("screen-test");

/** A screen, and its pixels. */
function createScreen() {
	const display = new BufferOut({ width: WIDTH, height: HEIGHT, pixelFormat: Bitmap.RGB565LE });
	const pixels = new Uint16Array((display as unknown as { buffer: ArrayBuffer }).buffer);
	const backlight = { brightness: 50, setBrightness() {}, close() {} };
	const screen = new TextScreen({ poco: Poco, display, backlight, font: () => parseBMF(new Resource("OpenSans-Semibold-28.bf4")), settings });
	/** The rows in which something stands out from the ground, as [first, last]; none: undefined. */
	const rows = (): [number, number] | undefined => {
		const ground = pixels[0];
		let first: number | undefined;
		let last = 0;
		for (let i = 0; i < pixels.length; i++) {
			if (pixels[i] === ground) continue;
			last = Math.floor(i / WIDTH);
			first ??= last;
		}
		return first === undefined ? undefined : [first, last];
	};
	return { screen, pixels, rows };
}

const scenarios: Scenario[] = [
	{
		title: "a screen begins empty, white where its theme is light",
		async run(check) {
			settings.clear();
			const { pixels, rows } = createScreen();
			check.same(pixels[0], 0xffff);
			check.same(rows(), undefined);
		},
	},
	{
		title: "a text stands in the middle, a longer one on more lines, and goes again",
		async run(check) {
			const { screen, rows } = createScreen();
			screen.showText("246810");
			const [first, last] = rows() as [number, number];
			check.that(first > 100 && last < 140, `one line is in rows ${first} to ${last}`);
			screen.showText('join the Wi-Fi "m5stack_cores3-0A1B" and open http://192.168.4.1/');
			const [above, below] = rows() as [number, number];
			check.that(above < 60 && below > 170 && Math.abs(above - (HEIGHT - below)) < 24, `more lines are in rows ${above} to ${below}`);
			screen.showText("");
			check.same(rows(), undefined);
		},
	},
	{
		title: "another theme is another ground, and the text stays",
		async run(check) {
			const { screen, pixels, rows } = createScreen();
			screen.showText("246810");
			screen.setTheme("dark");
			check.that(pixels[0] !== 0xffff, "the ground is still white");
			check.that(rows() !== undefined, "the text is gone");
			check.same(createScreen().screen.theme, "dark");
			settings.clear();
		},
	},
	{
		title: "no text breaks it",
		async run(check) {
			const { screen, rows } = createScreen();
			for (const text of ["前往网页输入 246810", "😀".repeat(200), "\ud800", "\0\n\t", "w".repeat(100_000), "i ".repeat(5_000)])
				screen.showText(text);
			screen.showText("246810");
			check.that(rows() !== undefined, "the text after them is not there");
			for (let i = 0; i < 200; i++) screen.showText(`${i}`);
		},
	},
];

runScenarios(scenarios, 0);
