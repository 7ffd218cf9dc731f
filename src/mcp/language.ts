// The language of tools' texts where no build has chosen one; `src/sdk/language.ts` takes this module's place in firmware.

/** The languages that a text may have. */
export type Language = "en" | "zh";

const LANGUAGE: Language = "en" as Language;
export default LANGUAGE;
