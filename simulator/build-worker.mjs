// Runs after `npm install`: gets the XS engine that the simulator starts. It never fails the install.

import { buildWorker, findWorker, WorkerProblem } from "./xs-worker.mjs";

if (!findWorker()) {
	console.log("Building the XS engine for the simulator (about 15 seconds) ...");
	try {
		await buildWorker();
		console.log("The XS engine is ready.");
	} catch (error) {
		const reason = error instanceof WorkerProblem ? error.message : String(error);
		console.log(`The XS engine could not be built: ${reason}`);
		console.log("`npm start` will run the firmware on Node instead. To try again: npm run worker");
	}
}
