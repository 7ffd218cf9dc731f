// Short texts for the log: secrets, and whatever was thrown.

import { expect, test } from "@jest/globals";
import { errorText, hideSecrets } from "base/text";

test("a secret that a peer repeats is hidden, also when it is cut off", () => {
	const secrets = ["eyJhbGciOi.very.long", "short", "another one"];
	expect(hideSecrets("no eyJhbGciOi.very.long! nor eyJhbGciOi.v; another one", secrets)).toBe("no …! nor …; …");
	expect(hideSecrets("in short", secrets)).toBe("in short");
	expect(hideSecrets("aaaaaaaaaaaaa", ["aaaaaa"])).toBe("……a");
});

test("an error without a message says so", () => {
	expect([errorText(new Error("")), errorText(new TypeError("no")), errorText(5)]).toEqual(["Error: no reason was given", "TypeError: no", "5"]);
});
