// `npm run device`: only the simulated device, against any backend.

import { BoardState } from "./board-state.js";
import {
	atMost,
	defaultMacAddress,
	EXIT_LIMIT_MS,
	Failure,
	onceSignalled,
	parseBoard,
	parseDeviceUrl,
	parseMacAddress,
	parseOptions,
	parseToken,
	parseUuid,
	runProgram,
	startFailure,
	Transcript,
	UsageError,
	uuidOf,
} from "./command-line.js";
import { type RunningDevice, runDevice } from "./run-device.js";
import { plain } from "./text.js";

const USAGE = `Usage: npm run device -- --url ws://HOST:PORT/PATH [--token T] [--device-id MAC] [--client-id UUID]
                         [--board NAME] [--engine xs|node]

Runs a simulated device against a backend until SIGINT (Ctrl-C) or SIGTERM.

  --url URL        the backend's WebSocket address, ws:// or wss://
  --token T        is sent as "Authorization: Bearer T"
  --device-id MAC  the network address; where it is not given, one that stays the same on this machine
  --client-id UUID where it is not given, one that belongs to the network address
  --board NAME     a folder of boards/, or a path to one; "simulator" where it is not given
  --engine E       xs or node; where it is not given, XS if it could be built, or else Node
  --help           shows this text
`;

await runProgram(USAGE, async (args) => {
	const values = parseOptions(args, {
		url: { type: "string" },
		token: { type: "string" },
		"device-id": { type: "string" },
		"client-id": { type: "string" },
		board: { type: "string", default: "simulator" },
		engine: { type: "string" },
	});
	const url = parseDeviceUrl(values.url);
	const token = values.token === undefined ? {} : { token: parseToken(values.token) };
	const deviceId = values["device-id"] === undefined ? defaultMacAddress() : parseMacAddress(values["device-id"]);
	const clientId = values["client-id"] === undefined ? uuidOf(deviceId) : parseUuid(values["client-id"]);
	const board = parseBoard(values.board);
	const { engine = "auto" } = values;
	if (engine !== "auto" && engine !== "xs" && engine !== "node") throw new UsageError(`--engine must be xs or node, got "${engine}"`);

	const transcript = new Transcript();
	const state = new BoardState(transcript.palette, (line) => transcript.line(`show ${line}`));
	const signalled = onceSignalled();
	let stopping = false;
	const starting = runDevice({
		board,
		config: { url, ...token, deviceId, clientId },
		engine,
		onLog: (line) => transcript.line(plain(line)),
		onShow: (part, value) => state.show(part, value),
		onRestart: () => transcript.line("the device restarts"),
	});
	async function live(): Promise<number> {
		let device: RunningDevice;
		try {
			device = await transcript.leadWith(starting, ({ engine, engineReason }) => {
				const where = engine === "xs" ? "XS" : `Node${engineReason ? ` (${plain(engineReason)})` : ""}`;
				return `board ${board} on ${where}, device id ${deviceId}`;
			});
		} catch (error) {
			throw startFailure(error, board);
		}
		const { ok, reason } = await device.exited;
		if (!ok && !stopping) throw new Failure(`the device crashed: ${plain(reason)}`);
		return 0;
	}
	const stopped = signalled.then(async () => {
		stopping = true;
		// Started or not, a device that comes up late is closed too.
		await atMost(
			EXIT_LIMIT_MS,
			starting.then((device) => device.close()),
		);
		return 0;
	});
	return await Promise.race([live(), stopped]);
});
