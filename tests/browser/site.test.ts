// The site of `npm run docs` in Chromium: no link is broken, and its search finds what the pages say.

import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Browser, chromium, type Page } from "playwright-core";
import { root } from "../../cli/boards.js";
import { serveFiles } from "../support/static-files.js";

const folder = join(root, "build", "site");
const BUILD_LIMIT_MS = 300_000;
let server: Awaited<ReturnType<typeof serveFiles>>;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	rmSync(folder, { recursive: true, force: true });
	const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", "site/build.mjs"], { cwd: root, encoding: "utf8" });
	expect([status, status ? stderr : ""]).toEqual([0, ""]);
	server = await serveFiles(folder);
	browser = await chromium.launch({ executablePath: process.env.CHROMIUM as string, args: ["--no-sandbox"] });
	page = await browser.newPage();
}, BUILD_LIMIT_MS);

afterAll(async () => {
	await browser?.close();
	server?.close();
});

test(
	"every page that a link leads to is there, with the place that it names, and shows all of its pictures",
	async () => {
		const errors: string[] = [];
		page.on("pageerror", (error) => errors.push(`${page.url()}: ${error.message}`));
		page.on("response", (response) => {
			if (response.status() >= 400) errors.push(`${page.url()} wants ${response.url()}: ${response.status()}`);
		});
		const waiting = ["/"];
		const anchors = new Map<string, string[]>();
		const wanted: { from: string; to: string; anchor: string }[] = [];
		for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
			if (anchors.has(path)) continue;
			await page.goto(server.origin + path, { waitUntil: "load" });
			anchors.set(path, await page.locator("[id]").evaluateAll((elements) => elements.map((element) => element.id)));
			const links = await page.locator("a[href]").evaluateAll((elements) => elements.map((element) => (element as unknown as { href: string }).href));
			for (const link of links) {
				const { origin: where, pathname, hash } = new URL(link);
				if (where !== server.origin) continue;
				wanted.push({ from: path, to: pathname, anchor: decodeURIComponent(hash.slice(1)) });
				waiting.push(pathname);
			}
		}
		const broken = wanted.filter(({ to, anchor }) => anchor !== "" && !anchors.get(to)?.includes(anchor));
		expect([errors, broken]).toEqual([[], []]);
		expect(anchors.size).toBeGreaterThan(30);
	},
	BUILD_LIMIT_MS,
);

test("every page has the icon of the live board", async () => {
	for (const path of ["/", "/docs/protocol.html", "/live/"]) {
		await page.goto(server.origin + path, { waitUntil: "load" });
		const icon = await page.locator("link[rel=icon]").evaluate((element) => (element as unknown as { href: string }).href);
		expect([path, (await fetch(icon)).headers.get("content-type")]).toEqual([path, "image/svg+xml"]);
	}
});

test("the search finds a word of a guide, by keyboard alone", async () => {
	await page.goto(server.origin, { waitUntil: "load" });
	// Its scripts come after its text.
	await page.waitForFunction('"__vue_app__" in document.querySelector("#app")');
	await page.locator(".DocSearch-Button").press("Enter");
	await page.locator(".VPLocalSearchBox input").waitFor();
	await page.keyboard.type("destructiveHint");
	const first = page.locator(".VPLocalSearchBox .result").first();
	await first.waitFor();
	expect(await first.getAttribute("href")).toMatch(/adding-a-tool|api/);
}, 60_000);

test("the first page has a board that runs in it, and whose tools can be called", async () => {
	await page.goto(server.origin, { waitUntil: "load" });
	const board = page.frameLocator(".live-board iframe");
	await board.locator(".status.connected").waitFor();
	await board.getByLabel("Tools", { exact: true }).last().selectOption("self.audio_speaker.set_volume");
	await board.getByRole("spinbutton", { name: "volume" }).fill("33");
	await board.getByRole("button", { name: "Call" }).click();
	await board.locator("[data-part=speaker][data-volume='33']").waitFor();
}, 60_000);
