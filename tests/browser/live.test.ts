// The page that needs no program, in Chromium, from a server of static files: the firmware in a worker, the hub in the page; run by
// `npm run test:browser`.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Browser, chromium, type Page } from "playwright-core";
import { boardNames } from "../../cli/boards.js";
import { buildLivePage } from "../../hub/live-page.js";
import { serveFiles } from "../support/static-files.js";

const { CHROMIUM } = process.env;
if (!CHROMIUM) throw new Error("run these tests by `npm run test:browser`");

const LIMIT_MS = 60_000;
const BOARDS = ["simulator", ...boardNames().filter((name) => name !== "simulator")] as [string, ...string[]];
const folder = mkdtempSync(join(tmpdir(), "live-page-"));
let browser: Browser;
let server: Awaited<ReturnType<typeof serveFiles>>;

beforeAll(async () => {
	await buildLivePage(folder, BOARDS);
	server = await serveFiles(folder);
	browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--disable-gpu", "--no-first-run", "--disable-background-networking"] });
}, LIMIT_MS);

afterAll(async () => {
	await browser?.close();
	server?.close();
	rmSync(folder, { recursive: true, force: true });
});

/**
 * Opens the page, and gives it away; whatever it asks of another server, or complains about, fails the test.
 * @param refused what the browser is to complain about
 */
async function visit(hash: string, use: (page: Page) => Promise<void>, refused?: RegExp): Promise<void> {
	const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, locale: "en-GB" });
	const page = await context.newPage();
	page.setDefaultTimeout(20_000);
	const complaints: string[] = [];
	page.on("pageerror", ({ message }) => complaints.push(message));
	page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
	context.on("request", (request) => {
		if (!request.url().startsWith(`${server.origin}/`) && !request.url().startsWith(`blob:${server.origin}/`)) complaints.push(request.url());
	});
	await page.goto(`${server.origin}/${hash}`);
	await use(page);
	await context.close();
	expect(complaints.filter((complaint) => !refused?.test(complaint))).toEqual([]);
}

const connected = (page: Page, name: string) =>
	page
		.locator(".status.connected")
		.waitFor()
		.then(() => page.locator(".plate header b", { hasText: name }).waitFor());
const tool = (page: Page, name: string) => page.getByRole("navigation").getByRole("button", { name }).first().click();
const call = (page: Page) => page.getByRole("button", { name: "Call" }).click();

test(
	"a tool that is called from its form moves the drawn board, and a button that is pressed is heard",
	() =>
		visit("", async (page) => {
			await connected(page, "simulator");
			expect(await page.locator(".plate header").textContent()).toContain("not XS");
			await tool(page, "set_rgb");
			await page.getByLabel("color").fill("#ff6000");
			await call(page);
			await page.locator("[data-part=light] [data-color='255,96,0']").nth(7).waitFor();
			await page.locator(".result", { hasText: "Done" }).waitFor();
			await tool(page, "set_angle");
			await page.getByRole("radio", { name: "0" }).check({ force: true });
			await page.getByRole("spinbutton", { name: "angle" }).fill("20");
			await page.getByRole("spinbutton", { name: "speed" }).fill("60");
			await page.keyboard.press("Enter");
			await page.locator("[data-part=servo0].moving[data-angle='20']").waitFor();
			await page.locator("[data-part=servo0][data-position='20']").waitFor();
			await page.getByLabel("Device", { exact: true }).selectOption("bread_compact");
			await connected(page, "bread_compact");
			await page.getByRole("button", { name: "Press: talk" }).focus();
			await page.keyboard.press(" ");
			await page
				.locator(".traffic li", { hasText: /button_changed.*"pressed":true/ })
				.first()
				.waitFor();
		}),
	LIMIT_MS,
);

test(
	"a restart ends the firmware's worker, and what the board keeps is there again",
	() =>
		visit("", async (page) => {
			await connected(page, "simulator");
			await tool(page, "set_volume");
			await page.getByRole("spinbutton", { name: "volume" }).fill("33");
			await page.keyboard.press("Enter");
			await page.locator("[data-part=speaker][data-volume='33']").waitFor();
			const [before] = page.workers();
			await page.getByText("Tools for people only").click();
			await tool(page, "reboot");
			const started = page.waitForEvent("worker");
			await call(page);
			expect(await started).not.toBe(before);
			await page.locator(".traffic .note", { hasText: "is there, MCP" }).nth(1).waitFor();
			expect(page.workers().length).toBe(1);
			await page.locator("[data-part=speaker][data-volume='33']").waitFor();
		}),
	LIMIT_MS,
);

test(
	"every board is there and connects, chosen by the list or by the address",
	() =>
		visit(`#device=${BOARDS.at(-1)}`, async (page) => {
			await connected(page, BOARDS.at(-1) as string);
			for (const board of BOARDS) {
				await page.getByLabel("Device", { exact: true }).selectOption(board);
				await connected(page, board);
				await page.locator(".list nav button").first().waitFor();
			}
		}),
	LIMIT_MS * 2,
);

test(
	"the firmware's worker reaches no server, not even the page's own",
	() =>
		visit(
			"",
			async (page) => {
				await connected(page, "simulator");
				const fetched = await page.workers()[0]?.evaluate(
					(url) =>
						fetch(url).then(
							() => "fetched",
							(error: Error) => error.name,
						),
					`${server.origin}/icon.svg`,
				);
				expect(fetched).toBe("TypeError");
			},
			/Content Security Policy|Fetch API cannot load/,
		),
	LIMIT_MS,
);
