// The fault matrix in Moddable's simulator, as far as nothing has to be waited for; `npm run test:moddable` builds the app.

import { describeFaults } from "./matrix.js";
import { ModdableBench } from "./moddable-bench.js";

const { MODDABLE_APP, MODDABLE_STORE } = process.env;
if (!MODDABLE_APP || !MODDABLE_STORE) throw new Error("run these tests by `npm run test:moddable`");
const command = JSON.parse(MODDABLE_APP) as string[];
const store = MODDABLE_STORE;

describeFaults(
	"Moddable's simulator",
	() => new ModdableBench(command, store),
	(it, column) => {
		// What fails its check is not kept on a device, so it cannot come from there; a call brings its address along.
		if (it.never && column !== "firmware") return false;
		// Without a network the name server does not answer for a while.
		if (it.address?.includes(".invalid")) return false;
		// The simulated board has no chip that an image could be for.
		if (it.says.startsWith("the image is for")) return false;
		// A request is not always out here when the server ends the connection, and more than 1 MB takes half a minute.
		if ((it.certificate === "good" && (column === "configuration" || column === "firmware")) || it.says.includes("does not end")) return false;
		return !it.slow && !/ within 1\d s| in 15 s| for 15 s/.test(it.says);
	},
);
