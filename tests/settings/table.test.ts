// The table of settings decides: names, listing, set-up page, configuration reply and documentation follow from a row.

import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { wireText } from "mcp/tool";
import Preference from "preference";
import { rowOf } from "settings/connection-settings";
import { listSettings, setSetting, setting, settingProblem } from "settings/settings";
import { SETTING_NAMES } from "settings/table";
import { formProblems, isUnchanged, readForm, setupPage } from "setup/page";
import { textsFor } from "setup/texts";
import { parseConfigurationReply } from "system/configuration-reply";
import { systemTools } from "tools/system";

/** A good value of each setting, which no other place knows; a new row fails until it has one here. */
const GOOD: { readonly [name: string]: string } = {
	ssid: "home",
	password: "correct horse",
	url: "ws://backend/path",
	token: "abc",
	ota_url: "https://config/ota/",
	endpoint: "wss://a/?token=1 wss://b/",
	mqtt_endpoint: "broker:1883",
	mqtt_client_id: "client",
	mqtt_username: "user",
	mqtt_password: "secret",
	mqtt_publish: "up",
	mqtt_subscribe: "down",
	mqtt_keepalive: "120",
	framed_address: "tcp://service:9000",
	framed_token: "jwt",
	framed_voice_id: "7",
	framed_language: "zh",
	http_port: "8080",
	http_token: "a-token-of-some-length",
	http_tools: "on",
	owner_tools: "on",
	endpoint_tools: "a b:8080",
	endpoint_prefix: "kitchen",
	framed_tools: "on",
	allow_plain: "on",
	timezone: "-03:30",
	auto_upgrade: "on",
	language: "zh",
	serial_number: "SN-0001",
	hmac_key: "0123456789abcdef".repeat(4),
	session: "on_demand",
};

beforeEach(() => {
	for (const key of Preference.keys("mcp-settings")) Preference.delete("mcp-settings", key);
});

const rows = SETTING_NAMES.map((name) => {
	const { secret = false, connection, page, reply, ...row } = rowOf(name);
	return [name, { ...row, secret, connection: connection?.split("."), page: page?.split("."), reply: reply?.split(".") }] as const;
});

describe.each(rows)("%s", (name, row) => {
	const value = GOOD[name] as string;

	test("has a name that an ESP32's store can keep", () => {
		expect(name).toMatch(/^[a-z_]{1,15}$/);
	});

	test("is taken up to its limit, kept, and listed as its row says", () => {
		setSetting(name, value);
		expect(setting(name)).toBe(value);
		expect(listSettings()[name]).toBe(row.secret ? "set" : value);
		expect(settingProblem(name, "x".repeat(row.maximumBytes + 1))).toBe(`${name} is too long: at most ${row.maximumBytes} bytes`);
		setSetting(name, "");
		expect(listSettings()[name]).toBe(row.secret ? "not set" : "");
	});

	test("can be set by its tool", () => {
		const tool = systemTools(SETTING_NAMES).find(({ name }) => name === "self.settings.set");
		expect(JSON.parse(wireText(tool as never, false)).inputSchema.properties.name.enum).toContain(name);
	});

	test.each(["en", "zh"])("has the field on the set-up page (%s) that its row says", (language) => {
		const texts = textsFor(language);
		setSetting(name, value);
		const page = setupPage({ texts, name: "device", wifi: true, networks: [] });
		if (!row.page) return expect(page).not.toContain(`name="${name}"`);
		const [part, type] = row.page;
		expect(texts.fields[name]?.label).toBeTruthy();
		expect(page).toContain(`name="${name}" type="${type}" value="${type === "password" ? "" : value}"`);
		expect(setupPage({ texts, name: "device", wifi: false }).includes(`name="${name}"`)).toBe(part === "server");
		// What is secret never goes back into a page, so its empty field changes nothing.
		expect(type === "password").toBe(row.secret);
		expect([isUnchanged(name, ""), isUnchanged(name, value)]).toEqual([row.secret, !row.secret]);
	});

	test("is read from the form, and checked", () => {
		expect(readForm(`${name}=${encodeURIComponent(value)}&other=x`)).toEqual({ [name]: value });
		expect(formProblems({ [name]: value }, false, textsFor("en"))).toEqual({});
		expect(Object.keys(formProblems({ [name]: "\u0001" }, false, textsFor("en")))).toEqual([name]);
	});

	test("comes from a configuration reply where its row says so", () => {
		const reply: { [object: string]: { [member: string]: string } } = {};
		const { connection, reply: place } = row;
		if (!place || !connection) return;
		for (const [other, { connection: its, reply: where }] of rows)
			if (its?.[0] === connection[0] && where) {
				const [object = "", member = ""] = where;
				reply[object] = { ...reply[object], [member]: GOOD[other] as string };
			}
		const { connection: made } = parseConfigurationReply(JSON.stringify(reply));
		expect(made).toMatchObject({ kind: connection[0], [connection[1] as string]: row.parse(value) });
	});

	test("is in the documentation with its limit, and as a secret if it is one", () => {
		const line = readFileSync(new URL("../../docs/life.md", import.meta.url), "utf8")
			.split("\n")
			.find((line) => line.startsWith("|") && line.split("|")[1]?.includes(`\`${name}\``));
		expect(line?.split("|")[2]?.includes("secret")).toBe(row.secret);
		expect(line).toContain(`${row.maximumBytes}`);
	});
});

test("the documentation has no other setting, and the same order", () => {
	const text = readFileSync(new URL("../../docs/life.md", import.meta.url), "utf8");
	const section = text.slice(text.indexOf("\n## Settings"), text.indexOf("\n## Tools"));
	const names = [...section.matchAll(/^\|([^|]+)\|/gm)].flatMap(([, cell = ""]) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
	expect(names).toEqual(SETTING_NAMES);
});
