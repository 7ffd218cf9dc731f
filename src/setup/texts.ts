// The texts of the set-up page, in each of its languages; they live in flash.

import type { SettingName } from "../settings/table.js";

/** The texts of a field. */
export interface FieldTexts {
	readonly label: string;
	readonly hint?: string;
	/** What a valid value is; where it is not given, the check of the setting says what is wrong. */
	readonly rule?: string;
}

export interface SetupTexts {
	/** As HTML and Accept-Language call it. */
	readonly language: string;
	/** The device's name follows. */
	readonly setUp: string;
	readonly wifi: string;
	readonly server: string;
	readonly strong: string;
	readonly medium: string;
	readonly weak: string;
	/** Follows one of the three, for a network without a password. */
	readonly open: string;
	readonly looking: string;
	readonly noneFound: string;
	readonly lookAgain: string;
	readonly isSet: string;
	readonly save: string;
	readonly nothingSaved: string;
	readonly saved: string;
	/** Follows the device's name. */
	readonly restarts: string;
	readonly needsNetwork: string;
	/** Of every setting that has a field. */
	readonly fields: { readonly [name in SettingName]?: FieldTexts };
}

const ENGLISH: SetupTexts = Object.freeze({
	language: "en",
	setUp: "Set up ",
	wifi: "Wi-Fi",
	server: "Server",
	strong: "strong",
	medium: "medium",
	weak: "weak",
	open: ", open",
	looking: "Looking for networks…",
	noneFound: "No networks found.",
	lookAgain: "Search again",
	isSet: "Already set. Leave empty to keep it. ",
	save: "Save and restart",
	nothingSaved: "Nothing was saved. Please correct the highlighted fields.",
	saved: "Saved",
	restarts: " is restarting with the new settings. You can close this page and go back to your own network.",
	needsNetwork: "The device needs a network",
	fields: Object.freeze({
		ssid: Object.freeze({ label: "Wi-Fi network", hint: "Choose one above, or type its name" }),
		password: Object.freeze({ label: "Wi-Fi password" }),
		url: Object.freeze({ label: "Server address", hint: "ws://192.168.1.2:8000/xiaozhi/v1/" }),
		token: Object.freeze({ label: "Server token" }),
		ota_url: Object.freeze({ label: "Configuration address", hint: "https://…, instead of a server address" }),
		endpoint: Object.freeze({ label: "MCP endpoint", hint: "wss://…/mcp/?token=…" }),
		http_port: Object.freeze({ label: "Port for MCP clients (HTTP)", hint: "80, for http://…/mcp; empty: off" }),
		http_token: Object.freeze({ label: "Token of MCP clients", hint: "Empty: the device makes one" }),
		owner_tools: Object.freeze({ label: "Server may change settings and firmware", hint: "off, tls (only if encrypted; the default) or on" }),
	}),
});

const CHINESE: SetupTexts = Object.freeze({
	language: "zh",
	setUp: "设置 ",
	wifi: "Wi-Fi",
	server: "服务器",
	strong: "强",
	medium: "中",
	weak: "弱",
	open: "，无密码",
	looking: "正在搜索网络。",
	noneFound: "未找到网络。",
	lookAgain: "重新搜索",
	isSet: "已设置，留空则保持不变。",
	save: "保存并重启",
	nothingSaved: "未保存任何内容，请更正标出的项目。",
	saved: "已保存",
	restarts: " 将重启并使用新的设置。现在可以关闭此页面，回到您自己的网络。",
	needsNetwork: "设备需要一个网络",
	fields: Object.freeze({
		ssid: Object.freeze({ label: "Wi-Fi 网络", hint: "选择一个，或输入名称", rule: "网络名称最多 32 个字节" }),
		password: Object.freeze({ label: "Wi-Fi 密码", rule: "Wi-Fi 密码须为 8 至 64 个字符" }),
		url: Object.freeze({
			label: "服务器地址",
			hint: "ws://192.168.1.2:8000/xiaozhi/v1/",
			rule: "须为以 ws:// 或 wss:// 开头的有效地址，最多 512 个字节",
		}),
		token: Object.freeze({ label: "服务器令牌", rule: "只能含可打印的 ASCII 字符，最多 1024 个" }),
		ota_url: Object.freeze({
			label: "配置地址",
			hint: "https://…，用来代替服务器地址",
			rule: "须为以 http:// 或 https:// 开头的有效地址，最多 512 个字节",
		}),
		endpoint: Object.freeze({
			label: "MCP 接入点",
			hint: "wss://…/mcp/?token=…",
			rule: "须为以 ws:// 或 wss:// 开头的有效地址，多个地址以空格分隔，最多 2048 个字节",
		}),
		http_port: Object.freeze({ label: "MCP 客户端端口（HTTP）", hint: "80，对应 http://…/mcp；留空则关闭", rule: "须为 1 至 65535 的端口" }),
		http_token: Object.freeze({ label: "MCP 客户端令牌", hint: "留空则由设备生成", rule: "至少 16 个可打印的 ASCII 字符，不含空格" }),
		owner_tools: Object.freeze({ label: "允许服务器更改设置和固件", hint: "off、tls（仅限加密连接，默认）或 on", rule: "须为 off、tls 或 on" }),
	}),
});

const LANGUAGES: readonly SetupTexts[] = Object.freeze([ENGLISH, CHINESE]);
/** The rest of the header is ignored. */
const MAX_HEADER_CHARACTERS = 128;

/** The texts in the language that a browser prefers (Accept-Language, RFC 9110); English where it prefers none of them. */
export function textsFor(acceptLanguage: string | undefined): SetupTexts {
	let best = ENGLISH;
	let most = 0;
	for (const part of (acceptLanguage ?? "").slice(0, MAX_HEADER_CHARACTERS).toLowerCase().split(",")) {
		const [tag = "", weight] = part.split(";");
		const texts = LANGUAGES.find(({ language }) => tag.trim().split("-")[0] === language);
		const quality = weight === undefined ? 1 : Number(weight.trim().slice(2));
		if (!texts || !(quality > most)) continue;
		best = texts;
		most = quality;
	}
	return best;
}
