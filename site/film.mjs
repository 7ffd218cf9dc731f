// `npm run docs:film`: films the page of `npm start` in Chromium while tools are called, for README: docs/film.gif.

import { spawn, spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { root } from "../cli/boards.js";
import { Problem, runProgram } from "../cli/program.js";

const USAGE = `Usage: npm run docs:film

Makes docs/film.gif. It needs Chromium; CHROMIUM names it where it is not called chromium.`;

const SIZE = { width: 1280, height: 880 };
/** So that the pictures are as wide as a README shows them. */
const SCALE = 0.75;
/** Between two pictures, and how many there are. */
const INTERVAL_MS = 140;
const PICTURES = 64;
const MAX_BYTES = 1 << 20;

/** Which tool is called at which picture, from its form. */
const SCENES = new Map([
	[2, ["self.light.set_rgb", { r: 255, g: 60, b: 0 }]],
	[10, ["self.servo.set_angle", { servo: 0, angle: 150, speed: 60 }]],
	[14, ["self.servo.set_angle", { servo: 1, angle: 40, speed: 60 }]],
	[24, ["self.led_strip.scroll", { red: 0, green: 200, blue: 90, length: 3, interval: 140 }]],
	[36, ["self.lamp.turn_on", {}]],
	[42, ["self.audio_speaker.set_volume", { volume: 90 }]],
	[48, ["self.screen.set_theme", { theme: "light" }]],
	[54, ["self.light.set_rgb", { r: 0, g: 90, b: 255 }]],
]);

await runProgram(USAGE, async () => {
	const { default: sharp } = await import("sharp").catch(() => {
		throw new Problem("The site's packages are not installed; npm run docs does that.");
	});
	const program = spawn(process.execPath, ["--import", "tsx", "hub/start.ts"], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
	const executablePath = process.env.CHROMIUM ?? spawnSync("which", ["chromium"], { encoding: "utf8" }).stdout.trim();
	const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
	try {
		const address = await addressOf(program.stdout);
		const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: SCALE, colorScheme: "light" });
		await page.goto(`${address}`);
		await page.getByText("Connected").waitFor();
		const device = await page.evaluate(async () => (await (await fetch("/devices")).json()).devices[0].id);
		const pictures = [];
		for (let number = 0; number < PICTURES; number++) {
			const [tool, args] = SCENES.get(number) ?? [];
			if (typeof tool === "string") {
				await page.locator("#find").fill(tool);
				await page.locator("#find").press("Enter");
				await page.locator("#find").fill("");
				void page.evaluate(
					([path, body]) => fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body }).then(() => undefined),
					[`/devices/${device}/call`, JSON.stringify({ name: tool, arguments: args })],
				);
			}
			const next = new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
			pictures.push(await page.screenshot());
			await next;
		}
		const file = join(root, "docs", "film.gif");
		await sharp(pictures, { join: { animated: true } })
			.gif({ delay: pictures.map(() => INTERVAL_MS), colours: 128, dither: 0, interFrameMaxError: 2, effort: 10 })
			.toFile(file);
		const { size } = statSync(file);
		if (size > MAX_BYTES) throw new Problem(`docs/film.gif has ${size} bytes, more than ${MAX_BYTES}.`);
		console.log(`docs/film.gif: ${size} bytes.`);
	} finally {
		await browser.close();
		program.kill();
	}
	return 0;
});

/** @param {NodeJS.ReadableStream} output of npm start @returns {Promise<string>} */
async function addressOf(output) {
	for await (const line of createInterface({ input: output })) {
		const address = /^page\s+(http\S+)/.exec(line)?.[1];
		if (!address) continue;
		output.resume();
		return address;
	}
	throw new Problem("npm start printed no address.");
}
