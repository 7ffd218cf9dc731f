// Texts in both languages, of which the firmware keeps the one that its build chose.

import LANGUAGE, { type Language } from "./language.js";

/** A text for models and people: one for every build, or English and Chinese. */
export type Text = string | { readonly [L in Language]: string };

/**
 * The text in the language of the build. Call it at module level, so that the other language is not linked.
 * @throws TypeError when a language is missing
 */
export function localized(text: Text): string {
	if (typeof text === "string") return text;
	for (const language of LANGUAGES)
		if (typeof text?.[language] !== "string" || !text[language]) throw new TypeError(`the text in the language ${language} is missing`);
	return text[LANGUAGE];
}

const LANGUAGES: readonly Language[] = Object.freeze(["en", "zh"]);
