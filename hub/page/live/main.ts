// The page with nothing behind it: the boards' firmware runs in workers of this page, and the hub's list of devices in the page itself.

import { BenchStream } from "../../bench-stream.js";
import { Devices } from "../../devices.js";
import { Observer } from "../../observer.js";
import { callOffered, Offer } from "../../offer.js";
import { start } from "../main.js";
import type { Source } from "../state.js";
import { LiveBoard } from "./live-board.js";

/** The boards whose firmware is in `boards/`; put in by the build. */
declare const LIVE_BOARDS: readonly [string, ...string[]];

const ENGINE = "your browser's engine, not XS";

const observer = new Observer(new Devices({ withUserTools: true }));
const boards = new Map(LIVE_BOARDS.map((name, index) => [name, new LiveBoard(observer, name, index + 1)]));
for (const [name, board] of boards)
	observer.view(name).simulation = { board: name, engine: ENGINE, waits: true, input: (part, input) => board.input(part, input) };

const source: Source = {
	async events(wanted, hear, signal) {
		const name = wanted !== undefined && boards.has(wanted) ? wanted : LIVE_BOARDS[0];
		const { simulation } = observer.view(name);
		if (simulation) observer.view(name).simulation = { ...simulation, waits: false };
		boards.get(name)?.start();
		const stream = new BenchStream(observer, { userTools: true, build: "live" }, name, hear);
		await new Promise((resolve) => signal.addEventListener("abort", resolve));
		stream.close();
	},
	async call(id, name, args) {
		const device = observer.devices.find(id);
		const offered = device && new Offer([device], true).find(name);
		if (!offered) throw new Error(`Unknown tool: ${name}`);
		return await callOffered(offered, args);
	},
	async input(id, part, input) {
		observer.peek(id)?.simulation?.input(part, input);
	},
};

start(source);
