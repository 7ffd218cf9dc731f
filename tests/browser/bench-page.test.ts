// The page of `npm start` in a real browser: boards that move, buttons that are pressed, devices that go and come back; run by
// `npm run test:browser`.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { Observer } from "../../hub/observer.js";
import { createPage } from "../../hub/page.js";
import { TestHub } from "../support/hub.js";
import { Program } from "../support/program.js";
import { createToolBoard } from "../support/tool-board.js";

const { CHROMIUM, SCREENSHOTS } = process.env;
if (!CHROMIUM) throw new Error("run these tests by `npm run test:browser`");

const LIMIT_MS = 90_000;
const DESKTOP = { width: 1360, height: 860 };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

let browser: Browser;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
	browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--disable-gpu", "--no-first-run", "--disable-background-networking"] });
}, LIMIT_MS);

afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
}, LIMIT_MS);

afterAll(() => browser?.close());

/** `npm start` up to its prompt. */
async function start(...args: string[]): Promise<{ program: Program; url: string }> {
	const program = new Program("hub/start.ts", args);
	ends.push(() => program.close());
	await program.output(/Now you: /);
	return { program, url: /page +(http:\S+)/.exec(program.stdout)?.[1] ?? "" };
}

/** Opens the page; what a script of the page throws, or the browser complains about, fails the test. */
async function visit(url: string, options: BrowserContextOptions = {}): Promise<Page> {
	const context = await browser.newContext({ viewport: DESKTOP, locale: "en-GB", ...options });
	const page = await context.newPage();
	page.setDefaultTimeout(20_000);
	const complaints: string[] = [];
	page.on("pageerror", ({ message }) => complaints.push(message));
	page.on("console", (message) => {
		// A program that has gone, or wants a token, is told by the browser as well.
		if (message.type() === "error" && !/ERR_|status of (401|50\d)/.test(message.text())) complaints.push(message.text());
	});
	ends.push(async () => {
		await context.close();
		expect(complaints).toEqual([]);
	});
	await page.goto(url);
	return page;
}

const tool = (page: Page, name: string) => page.getByRole("navigation").getByRole("button", { name }).first().click();
const call = (page: Page) => page.getByRole("button", { name: "Call", exact: true }).click();
const result = (page: Page) => page.locator(".result");
const status = (page: Page) => page.locator(".status");
const part = (page: Page, name: string) => page.locator(`[data-part=${name}]`);

async function picture(page: Page, name: string): Promise<void> {
	if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `bench-${name}.png`) });
}

describe("the page of npm start", () => {
	test(
		"calls a tool from its form, and the drawn board moves",
		async () => {
			const { url } = await start();
			const page = await visit(url);
			await expectText(status(page), "Connected");
			await tool(page, "set_rgb");
			await page.getByLabel("color").fill("#ff6000");
			await call(page);
			await expectText(result(page), /Done · .* ms\s*true/);
			await page.locator("[data-part=light] [data-color='255,96,0']").nth(7).waitFor();
			await tool(page, "set_angle");
			await page.getByRole("radio", { name: "0" }).check({ force: true });
			await page.getByRole("spinbutton", { name: "angle" }).fill("20");
			await page.getByRole("spinbutton", { name: "speed" }).fill("60");
			await page.keyboard.press("Enter");
			// On its way: it is not yet where it was sent.
			await page.locator("[data-part=servo0].moving[data-angle='20']").waitFor();
			await picture(page, "light");
			await page.locator("[data-part=servo0]:not(.moving)[data-position='20']").waitFor();
			await tool(page, "set_volume");
			await page.getByRole("spinbutton", { name: "volume" }).fill("33");
			await call(page);
			await page.locator("[data-part=speaker][data-volume='33']").waitFor();
			// What the form does not let through, the arguments as JSON do, and the device refuses it.
			await page.getByRole("button", { name: "JSON" }).click();
			await page.getByLabel("Arguments as JSON").fill('{"volume": 300}');
			await call(page);
			await expectText(result(page), /Failed · .*volume must be/s);
		},
		LIMIT_MS,
	);

	test(
		"a button that is pressed arrives as the device's event, by pointer and by key",
		async () => {
			const { url } = await start("--board", "bread_compact");
			const page = await visit(url);
			const traffic = page.getByRole("region", { name: "Traffic" });
			await traffic.getByRole("button", { name: "Events", exact: true }).click();
			await page.getByRole("searchbox", { name: "Filter" }).fill("button_changed");
			const events = traffic.locator("li.in");
			const button = page.getByRole("button", { name: "Press: talk" });
			await button.hover();
			await page.mouse.down();
			await expectText(events.nth(0), /button_changed\s*\{"button":"talk","pressed":true\}/);
			await page.mouse.up();
			await expectText(events.nth(1), /"talk","pressed":false/);
			await button.focus();
			await page.keyboard.down(" ");
			await expectText(events.nth(2), /"talk","pressed":true/);
			await page.keyboard.up(" ");
			await expectText(events.nth(3), /"talk","pressed":false/);
			// The volume key is the board's own: nobody is told, and the speaker is louder.
			const before = Number(await part(page, "speaker").getAttribute("data-volume"));
			await page.getByRole("button", { name: "Press: quieter" }).press(" ");
			await page.locator(`[data-part=speaker][data-volume='${before - 10}']`).waitFor();
		},
		LIMIT_MS,
	);

	test(
		"shows what a display shows, and takes touches where it is touched",
		async () => {
			const { url } = await start("--board", "m5stack_cores3");
			const page = await visit(url);
			const screen = page.getByRole("button", { name: "screen: Touch the screen" });
			const box = await screen.boundingBox();
			if (!box) throw new Error("the screen is not drawn");
			await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
			await page.mouse.down();
			await expectText(page.locator(".last"), /touch_changed \{"pressed":true,"x":1[56]\d,"y":1[12]\d\}/);
			await page.mouse.up();
			await expectText(page.locator(".last"), /touch_changed \{"pressed":false/);
			await page.getByRole("button", { name: /^battery 85/ }).click();
			await page.getByRole("slider", { name: "battery" }).fill("12");
			await page.getByRole("button", { name: /^battery 12/ }).waitFor();
			await tool(page, "set_head_angles");
			await page.getByRole("spinbutton", { name: "yaw" }).fill("-90");
			await call(page);
			await page.locator("[data-part=servo0][data-angle='-90']").waitFor();
		},
		LIMIT_MS,
	);

	test(
		"says a sentence to the assistant, and shows what it answers",
		async () => {
			const { url } = await start();
			const page = await visit(url);
			await page.getByRole("textbox", { name: "Say something to the assistant" }).fill("Good morning");
			await page.keyboard.press("Enter");
			const talk = page.getByRole("region", { name: "Say something to the assistant" });
			await expectText(talk, /you\s*Good morning/);
			await expectText(talk, /assistant\s*There is no model behind this backend/);
		},
		LIMIT_MS,
	);

	test(
		"says that the device is away, and goes on when it is back, without being loaded again",
		async () => {
			const { program, url } = await start("--port", String(await freePort()));
			const page = await visit(url);
			await page.evaluate("globalThis.loadedOnce = true");
			await page.getByRole("switch", { name: "Tools for people only" }).check({ force: true });
			await tool(page, "reboot");
			// It is back before anybody could look: whatever is drawn meanwhile is caught.
			await page.evaluate(`void (globalThis.away = new Promise((resolve) => {
				const look = () => {
					const alert = document.querySelector("[role=alert]")?.textContent ?? "";
					const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent.startsWith("Call"));
					if (alert.startsWith("The device is away: ")) resolve(button?.disabled);
				};
				new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
			}))`);
			await call(page);
			expect(await page.evaluate("globalThis.away")).toBe(true);
			await expectText(status(page), "Connected");
			await page.getByRole("alert").waitFor({ state: "detached" });
			await program.close();
			await expectText(page.getByRole("alert"), /The program that serves this page does not answer/);
			await start("--port", new URL(url).port);
			await expectText(status(page), "Connected");
			await tool(page, "turn_on");
			await call(page);
			await expectText(result(page), /true/);
			expect(await page.evaluate("globalThis.loadedOnce")).toBe(true);
		},
		LIMIT_MS,
	);

	test(
		"keeps the messages of both directions and the device's log, to filter, to open and to keep",
		async () => {
			const { url } = await start();
			const page = await visit(url);
			const traffic = page.getByRole("region", { name: "Traffic" });
			await traffic.getByRole("button", { name: "Messages" }).click();
			await page.getByRole("searchbox", { name: "Filter" }).fill("set_volume");
			const sent = traffic.locator("li.out", { hasText: '{"volume":50}' });
			await sent.getByRole("button").click();
			await expectText(sent.locator("pre"), /"method": "tools\/call"/);
			const loading = page.waitForEvent("download");
			await traffic.getByRole("button", { name: "Download" }).click();
			const stream = await (await loading).createReadStream();
			let text = "";
			for await (const chunk of stream) text += chunk;
			expect(text).toMatch(/^\d{4}-\S+Z → \{"session_id":.*"name":"self.audio_speaker.set_volume".*$/m);
			await traffic.getByRole("button", { name: "Device log" }).click();
			await page.getByRole("searchbox", { name: "Filter" }).fill("");
			await expectText(traffic, /main: simulator connects to/);
		},
		LIMIT_MS,
	);

	for (const [name, options] of [
		["on a phone", PHONE],
		["in the dark", { colorScheme: "dark" }],
		["in Chinese", { locale: "zh-CN" }],
	] as const)
		test(
			`fits ${name}: nothing sideways, every field with its name, text to be read`,
			async () => {
				const board = { "on a phone": ["simulator"], "in the dark": ["esp_hi"], "in Chinese": ["otto", "--language", "zh"] }[name];
				const { url } = await start("--board", ...board);
				const page = await visit(url, options);
				await page.locator(".status.connected").waitFor();
				if (name === "on a phone") {
					await page.getByRole("combobox", { name: "Tools" }).selectOption("self.light.set_rgb");
					await page.getByRole("button", { name: "Call", exact: true }).tap();
					await expectText(result(page), /true/);
					// The board stays in sight while the form is used.
					await page.getByRole("spinbutton", { name: "b" }).scrollIntoViewIfNeeded();
					const box = await page.locator(".pixels").boundingBox();
					expect(box && box.y >= 0 && box.y < PHONE.viewport.height / 2).toBe(true);
				} else if (name === "in the dark") {
					await tool(page, "basic_control");
					await call(page);
					await page.locator(".servo.moving").first().waitFor();
				} else {
					expect(await page.locator("html").getAttribute("lang")).toBe("zh");
					await tool(page, "action");
					await page.getByRole("button", { name: "调用" }).click();
					// Its joints rise one after the other.
					await page.locator("[data-part=servo5][data-position].moving").waitFor();
				}
				expect(await faults(page)).toEqual([]);
				await picture(page, { "on a phone": "phone", "in the dark": "dark", "in Chinese": "chinese" }[name]);
			},
			LIMIT_MS,
		);
});

describe("the page of a hub", () => {
	let hub: TestHub;

	const open = async (token?: string) => {
		// The page is made of the hub's devices, and the hub takes its routes when it starts.
		const routes = {};
		const openRoutes = {};
		hub = await TestHub.start({ userTools: true, token, routes, openRoutes });
		const page = await createPage(new Observer(hub.devices), { userTools: true, hint: () => "npm run flash" });
		Object.assign(routes, page.routes);
		Object.assign(openRoutes, page.openRoutes);
		ends.push(async () => {
			page.close();
			await hub.close();
		});
	};

	test(
		"has 50 devices, one of which is found by its name and moved",
		async () => {
			await open();
			for (let number = 1; number <= 50; number++) await hub.endpoint(`board-${number}`, { ...createToolBoard().answers });
			const page = await visit(`${hub.http}/`);
			const list = page.getByRole("combobox", { name: "Device" });
			await list.locator("option").nth(49).waitFor({ state: "attached" });
			await page.getByRole("searchbox", { name: "Find a device" }).fill("board-37");
			await list.selectOption("board-37");
			await page.locator(".status.connected").waitFor();
			await tool(page, "set_volume");
			await page.getByRole("spinbutton", { name: "volume" }).fill("11");
			await call(page);
			await expectText(result(page), /true/);
			await expectText(page.getByRole("region", { name: "Traffic" }), /"volume":11/);
			await hub.devices.find("board-37")?.session?.close("the plug was pulled");
			await expectText(page.getByRole("alert"), /away: the plug was pulled/);
		},
		LIMIT_MS,
	);

	test(
		"draws a device that comes over the network",
		async () => {
			await open();
			const { device } = await hub.board("02:00:00:00:00:07", "esp_hi");
			const page = await visit(`${hub.http}/`, { locale: "zh-CN" });
			await expectText(part(page, "front_left"), /左前腿/);
			await device.callTool("self.light.set_rgb", { r: 255, g: 96, b: 0 });
			await page.locator("[data-part=light] [data-color='255,96,0']").nth(3).waitFor();
			await device.callTool("self.dog.basic_control", { action: "forward" });
			await page.locator("[data-part=back_left].moving").waitFor();
		},
		LIMIT_MS,
	);

	test(
		"renders nothing of what a device sends as HTML",
		async () => {
			await open();
			const evil = `<img src=x onerror="globalThis.hacked = true">"'</script><script>globalThis.hacked = true</script>`;
			const inputSchema = { type: "object", properties: { [evil]: { type: "string", description: evil, enum: [evil, "b"] } }, required: [evil] };
			await hub.endpoint("evil", {
				initialize: () => ({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: evil, version: evil } }),
				"tools/list": () => ({ tools: [{ name: `self.${evil}`, title: evil, description: evil, inputSchema }] }),
				"tools/call": () => ({
					content: [
						{ type: "text", text: evil },
						{ type: "image", mimeType: `image/svg+xml`, data: evil },
					],
					isError: false,
				}),
			});
			const page = await visit(`${hub.http}/`);
			await call(page);
			await expectText(result(page), /<img src=x/);
			for (const row of await page.locator(".traffic li button").all()) await row.click();
			expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
			expect(await page.locator("img, body script").count()).toBe(0);
		},
		LIMIT_MS,
	);

	test(
		"asks for the token that it needs, and takes it from its address",
		async () => {
			await open("geheim");
			const page = await visit(`${hub.http}/`);
			await page.getByLabel("This page needs the token").fill("falsch");
			await page.keyboard.press("Enter");
			await page.getByLabel("This page needs the token").fill("geheim");
			await page.keyboard.press("Enter");
			await expectText(page.locator(".hint"), /npm run flash/);
			const other = await visit(`${hub.http}/#token=geheim`);
			await expectText(other.locator(".hint"), /npm run flash/);
			expect(other.url()).toBe(`${hub.http}/`);
		},
		LIMIT_MS,
	);
});

async function expectText(locator: ReturnType<Page["locator"]>, text: string | RegExp): Promise<void> {
	await locator.filter({ hasText: text }).first().waitFor();
}

function freePort(): Promise<number> {
	return new Promise((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address() as AddressInfo;
			server.close(() => resolve(port));
		});
	});
}

/** What is wrong with the page for eyes and screen readers. */
function faults(page: Page): Promise<string[]> {
	return page.evaluate(`(() => {
		const faults = [];
		const { scrollWidth, clientWidth } = document.documentElement;
		if (scrollWidth > clientWidth) faults.push("it is " + scrollWidth + " wide on a screen of " + clientWidth);
		const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
		if (new Set(ids).size < ids.length) faults.push("an id is there twice");
		for (const input of document.querySelectorAll("input:not([aria-hidden]), select, textarea"))
			if (!input.getAttribute("aria-label") && !input.labels?.length) faults.push((input.id || input.outerHTML) + " has no label");
		for (const button of document.querySelectorAll("button, a"))
			if (!button.getAttribute("aria-label") && !button.textContent.trim()) faults.push(button.outerHTML + " has no name");
		const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
		const channels = (color) => {
			canvas.clearRect(0, 0, 1, 1);
			canvas.fillStyle = color;
			canvas.fillRect(0, 0, 1, 1);
			return [...canvas.getImageData(0, 0, 1, 1).data];
		};
		const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
			.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
		const behind = (element) => {
			for (let at = element; at; at = at.parentElement) {
				if (at.matches(".plate")) return [18, 49, 42];
				const color = channels(getComputedStyle(at).backgroundColor);
				if (color[3] === 255) return color;
			}
			return [255, 255, 255];
		};
		for (const element of document.querySelectorAll("h2, h3, p, label, small, span, b, button, input, figcaption, em, time, summary, select")) {
			if (!element.checkVisibility() || !element.textContent.trim() || element.closest("svg, :disabled")) continue;
			const [a, b] = [light(channels(getComputedStyle(element).color)), light(behind(element))];
			const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
			if (contrast < 4.5) faults.push((element.className || element.tagName) + " " + element.textContent.slice(0, 30) + " has a contrast of " + contrast.toFixed(2));
		}
		return [...new Set(faults)];
	})()`);
}
