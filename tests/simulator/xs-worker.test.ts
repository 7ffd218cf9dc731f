// Why there is no XS engine is told with its cause.

import { expect, test } from "@jest/globals";
import { fetchProblem } from "../../simulator/xs-worker.mjs";

test.each([
	[
		"npm error code ENOTFOUND\nnpm error network request failed",
		/could not be fetched: the npm registry cannot be reached \(ENOTFOUND\); is there a network\?\n/,
	],
	["npm error code EAI_AGAIN", /cannot be reached \(EAI_AGAIN\)/],
	["npm error code E404\nnpm error 404 Not Found", /could not be fetched: npm says:\nnpm error code E404\n/],
])("%j", (output, reason) => expect(fetchProblem(output)).toMatch(reason));
