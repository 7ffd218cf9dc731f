// The set-up page in a real browser at a phone's size, as its owner uses it, up to the device's first tool call; run by `npm run test:browser`.

import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { setupPage } from "setup/page";
import { textsFor } from "setup/texts";
import type { Firmware } from "../firmware/sessions.js";
import { createLauncher } from "../support/launch.js";
import { builtForModdable, launchModdable } from "../support/moddable.js";
import { TestBackend } from "../support/test-backend.js";
import { freeUdpPort } from "../support/udp-peer.js";

const { CHROMIUM, MODDABLE_PORTS, SCREENSHOTS } = process.env;
if (!CHROMIUM) throw new Error("run these tests by `npm run test:browser`");

/** A start of Moddable's simulator and a restart of the device are among what is waited for. */
const LIMIT_MS = 60_000;
const PHONES = [
	{ width: 390, height: 844 },
	{ width: 320, height: 568 },
];
/** What phones and computers ask for when they look whether a network leads to the internet. */
const PROBES = {
	Android: "http://connectivitycheck.android.com/generate_204",
	iOS: "http://captive.apple.com/hotspot-detect.html",
	Windows: "http://www.msftconnecttest.com/connecttest.txt",
	"Windows before 10": "http://www.msftncsi.com/ncsi.txt",
	Firefox: "http://detectportal.firefox.com/canonical.html",
};
/** For a finger, in CSS pixels. */
const MIN_TARGET = 44;
/** Of text against what is behind it (WCAG 2.2, 1.4.3). */
const MIN_CONTRAST = 4.5;

let setupPort: number;
let dnsPort: number;
let browser: Browser;
let backend: TestBackend;
let device: Firmware;
let address: string;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
	[setupPort, dnsPort] = MODDABLE_PORTS ? (JSON.parse(MODDABLE_PORTS) as [number, number]) : [await freeTcpPort(), await freeUdpPort()];
	backend = await TestBackend.listen();
	const hosts = Object.values(PROBES).map((probe) => `MAP ${new URL(probe).host} 127.0.0.1:${setupPort}`);
	browser = await chromium.launch({
		executablePath: CHROMIUM,
		args: [
			`--host-resolver-rules=${hosts.join(",")}`,
			"--disable-gpu",
			"--disable-quic",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
		],
	});
}, LIMIT_MS);

afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

afterAll(async () => {
	await browser?.close();
	await device?.close();
	await backend?.close();
}, LIMIT_MS);

function freeTcpPort(): Promise<number> {
	return new Promise((resolve) => {
		const server = createTcpServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address() as AddressInfo;
			server.close(() => resolve(port));
		});
	});
}

/** A device out of its box. */
async function unpack(): Promise<void> {
	await device?.close();
	const settings = { wifi: "simulated", ssid: "", url: "", setup_port: setupPort, dns_port: dnsPort };
	device = builtForModdable ? launchModdable() : await createLauncher("xs").launch(settings);
	const line = await device.logged(/^setup: join the Wi-Fi "simulator-[0-9A-F]{4}", password \w{10}, and open http:/);
	address = line.slice(line.indexOf("http:"));
	expect(address).toBe(`http://127.0.0.1:${setupPort}/`);
}

/** Opens the page on a phone; what a script of the page throws, or the browser complains about, fails the test. */
async function visit(options: BrowserContextOptions = {}): Promise<Page> {
	const context = await browser.newContext({ viewport: PHONES[0] ?? null, hasTouch: true, isMobile: true, locale: "en-GB", ...options });
	const page = await context.newPage();
	page.setDefaultTimeout(20_000);
	const complaints: string[] = [];
	page.on("pageerror", ({ message }) => complaints.push(message));
	page.on("console", (message) => {
		// A refused form is told by its status.
		if (message.type() === "error" && !/status of (422|403)/.test(message.text())) complaints.push(message.text());
	});
	ends.push(async () => {
		await context.close();
		expect(complaints).toEqual([]);
	});
	await page.goto(address);
	return page;
}

/** By itself the page looks again until networks are found. */
const networksFound = (page: Page) => page.getByRole("button", { name: /^Home/ }).waitFor();

async function picture(page: Page, name: string): Promise<void> {
	if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `setup-${name}.png`), fullPage: true });
}

/** What is wrong with the page for eyes, fingers and screen readers. */
function faults(page: Page): Promise<string[]> {
	return page.evaluate(`(() => {
		const faults = [];
		const { scrollWidth, clientWidth } = document.documentElement;
		if (scrollWidth > clientWidth) faults.push("it is " + scrollWidth + " wide on a screen of " + clientWidth);
		for (const target of document.querySelectorAll("a, button, input")) {
			const { width, height } = target.getBoundingClientRect();
			if (width < ${MIN_TARGET} || height < ${MIN_TARGET}) faults.push((target.id || target.textContent) + " is " + width + "x" + height);
		}
		const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
		if (new Set(ids).size < ids.length) faults.push("an id is there twice");
		for (const input of document.querySelectorAll("input")) {
			if (input.labels.length !== 1 || !input.labels[0].textContent) faults.push(input.id + " has no label");
			for (const id of (input.getAttribute("aria-describedby") ?? "").split(" ")) if (!ids.includes(id)) faults.push(input.id + " is described by nothing: " + id);
		}
		const channels = (color) => color.match(/[\\d.]+/g).map(Number);
		const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
			.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
		const behind = (element) => {
			for (let at = element; at; at = at.parentElement) {
				const color = channels(getComputedStyle(at).backgroundColor);
				if (color[3] !== 0) return color;
			}
			return [255, 255, 255];
		};
		for (const element of document.querySelectorAll("h1, h2, p, a, label, small, span, button, input")) {
			const [a, b] = [light(channels(getComputedStyle(element).color)), light(behind(element))];
			const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
			if (contrast < ${MIN_CONTRAST}) faults.push((element.id || element.textContent) + " has a contrast of " + contrast.toFixed(2));
		}
		return faults;
	})()`);
}

const logged = () => device.log.join("\n");

describe(`the set-up page in Chromium, the firmware ${builtForModdable ? "in Moddable's simulator" : "on XS"}`, () => {
	describe("of a device out of its box", () => {
		beforeAll(unpack, LIMIT_MS);

		for (const viewport of PHONES)
			for (const colorScheme of ["light", "dark"] as const)
				test(
					`fits a screen of ${viewport.width} pixels, ${colorScheme}: nothing sideways, labels bound, targets for fingers, text to be read`,
					async () => {
						const page = await visit({ viewport, colorScheme });
						await networksFound(page);
						expect(await faults(page)).toEqual([]);
						expect(await page.getByRole("textbox").count()).toBe(9);
						if (viewport === PHONES[0] && colorScheme === "light") await picture(page, "page");
						await page.fill("#password", "short");
						await page.getByRole("button", { name: "Save and restart" }).tap();
						await page.getByRole("alert").waitFor();
						expect(await faults(page)).toEqual([]);
					},
					LIMIT_MS,
				);

		test(
			"fits a small screen with the longest names, and while no network is found",
			async () => {
				const page = await visit({ viewport: PHONES[1] ?? null });
				for (const networks of [[{ ssid: "W".repeat(32), rssi: -90, secure: false }], [], undefined])
					for (const language of ["en", "zh"]) {
						await page.setContent(setupPage({ texts: textsFor(language), name: "electron_bot-0A1B".padEnd(32, "W"), wifi: true, networks }));
						expect(await faults(page)).toEqual([]);
					}
			},
			LIMIT_MS,
		);

		test(
			"lists the networks, their names as text, and a tap takes one",
			async () => {
				const page = await visit();
				await networksFound(page);
				expect(await page.getByRole("listitem").allInnerTexts()).toEqual([
					expect.stringMatching(/^Home\s+strong$/),
					expect.stringMatching(/^Café am Markt 咖啡\s+medium, open$/),
					expect.stringMatching(/^<b>"Neighbours" & Co<\/b>\s+weak$/),
				]);
				await page.getByRole("button", { name: /^Café/ }).tap();
				expect(await page.inputValue("#ssid")).toBe("Café am Markt 咖啡");
				await page.getByRole("button", { name: /^Home/ }).tap();
				expect(await page.getByLabel("Wi-Fi network").inputValue()).toBe("Home");
				expect(await page.evaluate("document.activeElement.id")).toBe("password");
			},
			LIMIT_MS,
		);

		test(
			"marks what is wrong and explains it, keeps what was typed but for secrets, and saves nothing",
			async () => {
				const page = await visit();
				await networksFound(page);
				await page.getByRole("button", { name: /^Home/ }).tap();
				await page.getByLabel("Wi-Fi password").fill("short");
				await page.getByLabel("Server address").fill("http://wrong/");
				await page.getByRole("button", { name: "Save and restart" }).tap();
				expect(await page.getByRole("alert").innerText()).toBe("Nothing was saved. Please correct the highlighted fields.");
				const marked = page.locator("[aria-invalid=true]");
				expect(await marked.evaluateAll((inputs) => inputs.map(({ id }) => id))).toEqual(["password", "url"]);
				expect(await marked.evaluateAll((inputs) => inputs.map((input) => input.getAttribute("aria-describedby")))).toEqual([
					"password-problem password-hint",
					"url-problem url-hint",
				]);
				expect(await page.locator("#password-problem").innerText()).toBe("password: a Wi-Fi password has 8 to 64 characters");
				expect(await page.locator("#url-problem").innerText()).toBe("url: the WebSocket address must begin with ws:// or wss://");
				expect(await page.inputValue("#ssid")).toBe("Home");
				expect(await page.inputValue("#url")).toBe("http://wrong/");
				expect(await page.inputValue("#password")).toBe("");
				await picture(page, "problems");
				expect(logged()).not.toContain("setup: saved");
			},
			LIMIT_MS,
		);

		test(
			"speaks Chinese to a phone that does, and English to one that speaks neither",
			async () => {
				const page = await visit({ locale: "zh-CN" });
				await page.getByRole("button", { name: /^Home/ }).waitFor();
				expect(await page.evaluate("document.documentElement.lang")).toBe("zh");
				expect(await page.title()).toMatch(/^设置 simulator-/);
				expect(await page.getByRole("listitem").allInnerTexts()).toEqual([
					expect.stringMatching(/^Home\s+强$/),
					expect.stringMatching(/^Café am Markt 咖啡\s+中，无密码$/),
					expect.stringMatching(/\s弱$/),
				]);
				await page.getByLabel("Wi-Fi 网络").fill("");
				await page.getByLabel("Wi-Fi 密码").fill("short");
				await page.getByLabel("服务器地址").fill("http://wrong/");
				await page.getByLabel("配置地址").fill("ftp://wrong/");
				await page.getByRole("button", { name: "保存并重启" }).tap();
				expect(await page.getByRole("alert").innerText()).toBe("未保存任何内容，请更正标出的项目。");
				expect(await page.locator("p.bad[id]").allInnerTexts()).toEqual([
					"设备需要一个网络",
					"Wi-Fi 密码须为 8 至 64 个字符",
					"须为以 ws:// 或 wss:// 开头的有效地址，最多 512 个字节",
					"须为以 http:// 或 https:// 开头的有效地址，最多 512 个字节",
				]);
				expect(await faults(page)).toEqual([]);
				await picture(page, "chinese");
				const other = await visit({ locale: "de-DE" });
				expect(await other.title()).toMatch(/^Set up simulator-/);
			},
			LIMIT_MS,
		);

		test.each(Object.entries(PROBES))(
			"is where %s is led that looks for the internet",
			async (_system, probe) => {
				const page = await visit();
				await page.goto(probe);
				expect(page.url()).toBe(address);
				expect(await page.getByRole("heading", { level: 1 }).innerText()).toMatch(/^Set up simulator-/);
			},
			LIMIT_MS,
		);

		test(
			"takes no form from a page of somebody else's, nor from one that hides where it is from",
			async () => {
				const form = `<form method="post" action="${address}save"><input name="ssid" value="Home"><input name="url" value="ws://evil.example/"><button>Win</button></form>`;
				const pages: { [path: string]: string } = {
					"/form": form,
					"/sandbox": `<iframe sandbox="allow-forms" srcdoc='${form.replaceAll("'", "&#39;")}'></iframe>`,
					"/no-referrer": `<meta name="referrer" content="no-referrer">${form}`,
				};
				const stranger = createServer((request, response) => {
					response.setHeader("content-type", "text/html").end(pages[request.url ?? ""] ?? "");
				});
				await once(stranger.listen(0, "127.0.0.1"), "listening");
				ends.push(() => new Promise((resolve) => stranger.close(resolve).closeAllConnections()));
				for (const path of Object.keys(pages)) {
					const page = await visit();
					await page.goto(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}${path}`);
					const button = (path === "/sandbox" ? page.frameLocator("iframe") : page).getByRole("button");
					const [response] = await Promise.all([page.waitForResponse(`${address}save`), button.tap()]);
					expect([path, response.request().method(), response.status()]).toEqual([path, "POST", 403]);
				}
				expect(logged()).not.toContain("setup: saved");
			},
			LIMIT_MS,
		);

		test(
			"is filled in by keyboard alone; then the device restarts, joins, and answers a tool call",
			async () => {
				const page = await visit();
				await networksFound(page);
				const at = () => page.evaluate("document.activeElement.dataset.ssid ?? (document.activeElement.id || document.activeElement.textContent)");
				await page.keyboard.press("Tab");
				expect(await at()).toBe("Home");
				await page.keyboard.press("Enter");
				expect(await at()).toBe("password");
				await page.keyboard.type("correct horse");
				const passed: unknown[] = [];
				const texts: { readonly [id: string]: string } = { url: backend.url, token: "from-the-browser" };
				while (passed.at(-1) !== "Save and restart") {
					await page.keyboard.press("Tab");
					const id = String(await at());
					passed.push(id);
					if (texts[id]) await page.keyboard.type(texts[id]);
				}
				expect(passed).toEqual(["url", "token", "ota_url", "endpoint", "http_port", "http_token", "owner_tools", "Save and restart"]);
				await page.keyboard.press("Enter");
				await page.getByRole("heading", { name: "Saved" }).waitFor();
				expect(await faults(page)).toEqual([]);
				await picture(page, "saved");
				const session = await backend.session();
				expect(session.request.headers.authorization).toBe("Bearer from-the-browser");
				expect(await session.call("self.audio_speaker.set_volume", { volume: 7 })).toBe("true");
				expect(await device.logged(/^wifi: connected to "Home"$/)).toBeTruthy();
				for (const secret of ["correct horse", "from-the-browser"]) expect(logged()).not.toContain(secret);
			},
			LIMIT_MS,
		);
	});

	test(
		"works without scripts: the name of the network is typed in, and the device joins it",
		async () => {
			await unpack();
			const page = await visit({ javaScriptEnabled: false, locale: "zh-CN" });
			await page.getByLabel("Wi-Fi 网络").fill("Café am Markt 咖啡");
			await page.getByLabel("服务器地址").fill(backend.url);
			await page.getByRole("button", { name: "保存并重启" }).tap();
			await page.getByRole("heading", { name: "已保存" }).waitFor();
			await backend.session();
			expect(await device.logged(/^wifi: connected to "Café am Markt 咖啡"$/)).toBeTruthy();
		},
		LIMIT_MS,
	);
});
