// The site of `npm run docs` in Chromium: no link is broken, and its search finds what the pages say.

import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Browser, chromium, type Page } from "playwright-core";
import { root } from "../../cli/boards.js";

const folder = join(root, "build", "site");
const BUILD_LIMIT_MS = 300_000;
const TYPES: { readonly [ending: string]: string } = {
	html: "text/html",
	js: "text/javascript",
	css: "text/css",
	svg: "image/svg+xml",
	png: "image/png",
};
let server: Server;
let browser: Browser;
let page: Page;
let origin: string;

beforeAll(async () => {
	rmSync(folder, { recursive: true, force: true });
	const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", "site/build.mjs"], { cwd: root, encoding: "utf8" });
	expect([status, status ? stderr : ""]).toEqual([0, ""]);
	server = createServer((request, response) => {
		const path = decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname);
		const file = [path, `${path}.html`, join(path, "index.html")]
			.map((name) => join(folder, name))
			.find((name) => existsSync(name) && statSync(name).isFile());
		if (!file) return response.writeHead(404).end();
		response.writeHead(200, { "Content-Type": TYPES[file.split(".").at(-1) ?? ""] ?? "application/octet-stream" });
		createReadStream(file).pipe(response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
			await page.goto(origin + path, { waitUntil: "load" });
			anchors.set(path, await page.locator("[id]").evaluateAll((elements) => elements.map((element) => element.id)));
			const links = await page.locator("a[href]").evaluateAll((elements) => elements.map((element) => (element as unknown as { href: string }).href));
			for (const link of links) {
				const { origin: where, pathname, hash } = new URL(link);
				if (where !== origin) continue;
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

test("the search finds a word of a guide, by keyboard alone", async () => {
	await page.goto(origin, { waitUntil: "load" });
	// Its scripts come after its text.
	await page.waitForFunction('"__vue_app__" in document.querySelector("#app")');
	await page.locator(".DocSearch-Button").press("Enter");
	await page.locator(".VPLocalSearchBox input").waitFor();
	await page.keyboard.type("destructiveHint");
	const first = page.locator(".VPLocalSearchBox .result").first();
	await first.waitFor();
	expect(await first.getAttribute("href")).toMatch(/adding-a-tool|api/);
}, 60_000);
