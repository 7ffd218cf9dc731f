// Fills in the set-up page in a real browser at a phone's size, as its owner would, and takes pictures of it.
// Usage: node tests/browser/setup-page.mjs http://127.0.0.1:8088/ ws://HOST:PORT/PATH [folder for the pictures]
// It wants the package playwright-core and Chromium (CHROMIUM names the program; /usr/bin/chromium where it does not),
// and a device whose page is open: a simulated one started with wifi=simulated and no ssid.

import assert from "node:assert/strict";
import { join } from "node:path";

const { chromium } = await import("playwright-core").catch(() => {
	console.error("playwright-core is missing: npm install --no-save playwright-core");
	process.exit(1);
});
const [address, url, folder] = process.argv.slice(2);
if (!address || !url) {
	console.error("Usage: node tests/browser/setup-page.mjs PAGE SERVER [FOLDER]");
	process.exit(2);
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
	const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, hasTouch: true, isMobile: true });
	const page = await context.newPage();
	const problems = [];
	page.on("pageerror", (error) => problems.push(error.message));
	page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
	const picture = async (name) => folder && (await page.screenshot({ path: join(folder, `setup-${name}.png`), fullPage: true }));

	await page.goto(address);
	// It looks again by itself until networks are found.
	await page.getByRole("button", { name: /Home/ }).waitFor();
	assert.equal(await page.getByRole("button").count(), 4);
	assert.match(await page.textContent("ul"), /<b>"Neighbours" & Co<\/b>/);
	const width = await page.evaluate(() => document.documentElement.scrollWidth);
	assert.ok(width <= 390, `the page is ${width} wide on a phone of 390`);
	await picture("page");

	await page.getByRole("button", { name: /Home/ }).tap();
	assert.equal(await page.inputValue("#ssid"), "Home");
	assert.equal(await page.evaluate(() => document.activeElement.id), "password");
	await page.fill("#password", "short");
	await page.fill("#url", "http://wrong/");
	await page.getByRole("button", { name: "Save and restart" }).tap();
	await page.getByRole("alert").waitFor();
	assert.match(await page.textContent("#password-problem"), /8 to 64 characters/);
	assert.match(await page.textContent("#url-problem"), /must begin with ws:\/\//);
	assert.equal(await page.inputValue("#ssid"), "Home");
	assert.equal(await page.inputValue("#password"), "");
	await picture("problems");

	await page.fill("#password", "correct horse");
	await page.fill("#url", url);
	await page.fill("#token", "from-the-browser");
	await page.getByRole("button", { name: "Save and restart" }).tap();
	await page.getByRole("heading", { name: "Saved" }).waitFor();
	await picture("saved");
	// The answer to a form with problems is a 422, which the browser reports.
	assert.deepEqual(
		problems.filter((problem) => !problem.includes("422") && !problem.includes("favicon")),
		[],
	);
	console.log("ok: the set-up page in a browser");
} finally {
	await browser.close();
}
