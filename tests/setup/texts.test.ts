// The words of the set-up page: which language a browser gets, and that no language lacks a text.

import { describe, expect, test } from "@jest/globals";
import { SETTING_NAMES } from "settings/table";
import { formProblems, savedPage, setupPage } from "setup/page";
import { textsFor } from "setup/texts";

describe("the language of the set-up page", () => {
	test.each<[string | undefined, string]>([
		[undefined, "en"],
		["", "en"],
		["zh-CN,zh;q=0.9,en;q=0.8", "zh"],
		["zh", "zh"],
		["ZH-Hant-TW", "zh"],
		["en-US,en;q=0.9,zh;q=0.8", "en"],
		["en;q=0.5, zh ; q=0.7", "zh"],
		["de-DE,de;q=0.9,zh-CN;q=0.2", "zh"],
		["de-DE,fr;q=0.9", "en"],
		["*", "en"],
		["zh;q=0", "en"],
		["zh;q=much", "en"],
		[",;,;;q=,zhq,constructor", "en"],
		[`${"x,".repeat(5000)}zh`, "en"],
	])("for %j is %s", (accepted, language) => {
		expect(textsFor(accepted).language).toBe(language);
	});
});

describe.each(["en", "zh"])("in %s", (language) => {
	const texts = textsFor(language);

	test("every text is there, and none is HTML", () => {
		const english = textsFor("en");
		expect(Object.keys(texts)).toEqual(Object.keys(english));
		expect(Object.keys(texts.fields)).toEqual(Object.keys(english.fields));
		for (const text of [...Object.values(texts), ...Object.values(texts.fields).flatMap((field) => Object.values(field))])
			if (typeof text === "string") expect(text).toMatch(/^[^<>&"]+$/);
	});

	test("a wrong value is explained, whatever the setting", () => {
		const wrong = Object.fromEntries(SETTING_NAMES.map((name) => [name, "\u0001"]));
		const problems = formProblems(wrong, true, texts);
		for (const [name, { rule }] of Object.entries(texts.fields)) expect(problems[name]).toBe(rule ?? `${name} has a control character`);
		expect(formProblems({ ssid: "" }, true, texts)).toEqual({ ssid: texts.needsNetwork });
		expect(formProblems({ ssid: "" }, false, texts)).toEqual({});
	});

	test("the pages say what language they are in", () => {
		for (const page of [setupPage({ texts, name: "x", wifi: true }), savedPage(texts, "x")]) expect(page).toContain(`<html lang="${language}">`);
	});
});
