// The site's languages, its search and its side bar.

import { readdirSync } from "node:fs";
import { defineConfig } from "vitepress";

const pages = new URL("../pages/", import.meta.url);
const names = (folder) =>
	readdirSync(new URL(folder, pages))
		.filter((name) => name.endsWith(".md"))
		.map((name) => name.slice(0, -3));

/** Sections of the side bar, by what a reader wants. */
const english = [
	section("Begin", "/", [
		["Try it", ""],
		["The first hour with an ESP32", "docs/first-hour-with-an-esp32"],
		["Any MCP client", "docs/clients"],
		["Gateway and backend", "docs/gateway"],
	]),
	section("Build", "/docs/", [
		["Adding a tool", "adding-a-tool"],
		["Adding a board", "adding-a-board"],
		["A device's life", "life"],
		["On a chip for the first time", "on-a-chip"],
	]),
	section("Know", "/docs/", [
		["Architecture", "architecture"],
		["Protocol", "protocol"],
		["Models", "models"],
		["Conformance", "conformance"],
		["Security", "security"],
		["TLS", "tls"],
		["Reliability", "reliability"],
		["Memory", "memory"],
		["Performance", "performance"],
		["Flash", "footprint"],
		["Many devices", "scale"],
		["SDK versions", "moddable-versions"],
		["Dependencies", "dependencies"],
	]),
	section(
		"Boards",
		"/boards/",
		names("boards/").map((name) => [name, name]),
	),
	section(
		"Decisions",
		"/docs/adr/",
		names("docs/adr/").map((name) => [name.slice(5).replaceAll("-", " "), name]),
	),
	section("API", "/api/", [["defineTool, McpServer, hardware", ""]]),
	section("Project", "/", [
		["Changelog", "CHANGELOG"],
		["Contributing", "CONTRIBUTING"],
	]),
];

/** The live board is no page of the generator: without a target its router would look for one. */
function live(text) {
	return [{ text, link: "/live/", target: "_self" }];
}

/** Only pages that are there. */
function section(text, folder, entries) {
	const items = entries
		.filter(([, name]) =>
			names(folder.slice(1) + name.slice(0, name.lastIndexOf("/") + 1)).includes(name.slice(name.lastIndexOf("/") + 1) || "index"),
		)
		.map(([words, name]) => ({ text: words, link: folder + name }));
	return { text, collapsed: ["Boards", "Decisions"].includes(text), items };
}

function chinese() {
	try {
		return [
			section("开始", "/zh-CN/", [["试用", ""]]),
			section("文档", "/zh-CN/docs/", [
				["第一个小时", "first-hour-with-an-esp32"],
				["连接小智后端", "xiaozhi"],
				["添加工具", "adding-a-tool"],
				["添加开发板", "adding-a-board"],
			]),
		];
	} catch {
		return undefined;
	}
}

const zh = chinese();

export default defineConfig({
	title: "moddable-mcp",
	description: "Firmware in TypeScript that makes an ESP32 an MCP server",
	head: [["link", { rel: "icon", type: "image/svg+xml", href: "/icon.svg" }]],
	srcDir: "pages",
	outDir: "../build/site",
	// Addresses in examples are not there, and one cannot be followed from a static file.
	ignoreDeadLinks: [/^https?:\/\/(localhost|127\.0\.0\.1|192\.168)/],
	markdown: { html: false },
	// Not every page has a Chinese counterpart.
	themeConfig: { i18nRouting: false, nav: live("Live board"), sidebar: english, search: { provider: "local" }, outline: [2, 3] },
	locales: {
		root: { label: "English", lang: "en" },
		...(zh && { "zh-CN": { label: "简体中文", lang: "zh-CN", themeConfig: { nav: live("在线开发板"), sidebar: zh } } }),
	},
});
