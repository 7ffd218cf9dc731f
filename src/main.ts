// The composition root: board, server, sessions and transports are put together here and nowhere else.

import { createBoard } from "board/board";
import tools from "board/tools/index";
import config from "mc/config";
import Timer from "timer";
import { needsMissing } from "./hardware/parts.js";
import { McpServer } from "./mcp/server.js";
import { EndpointSession } from "./session/endpoint.js";
import { XiaozhiSession, xiaozhiHeaders } from "./session/xiaozhi.js";
import { DeviceStates } from "./system/device-state.js";
import { createWebSocketTransport } from "./transports/websocket.js";

/** A throw or a rejection that nothing caught costs a line in the log, not the machine; the rest (no memory) restarts it. */
globalThis.abort = (reason) => {
	trace(`main: ${reason}\n`);
	if (reason === "unhandled exception" || reason === "unhandled rejection") return false;
};

const log = (line: string) => trace(`${line}\n`);
const board = createBoard();
const { system } = board;
const missing = board.missing ?? [];
for (const { part, reason } of missing) log(`main: ${board.name} starts without its ${part}: ${reason}`);
const hide = missing.length ? (name: string) => needsMissing(name, missing) : undefined;
const states = new DeviceStates((newState, oldState) => {
	log(`main: ${oldState} -> ${newState}`);
	server.notify("notifications/state_changed", { newState, oldState }, false);
});
/** The device's server. */
export const server = new McpServer({
	name: board.name,
	version: system.version,
	board,
	tools,
	hide,
	timers: Timer,
	log,
	onRunning: (running) => states.setRunning(running),
});
// A press is of no use to who hears of it later.
board.onEvent = (event, params) => server.notify(`notifications/${event}`, params, false);

let closed = false;
const sessions: { start(): void; close(): void }[] = [];
const url = text(config.url);
const endpoint = text(config.endpoint);
if (url) {
	const identity = {
		token: text(config.token),
		deviceId: text(config.deviceId) ?? system.macAddress,
		clientId: text(config.clientId) ?? system.uuid,
	};
	start(url, () => {
		return new XiaozhiSession({
			server,
			connect: createWebSocketTransport({ url, headers: xiaozhiHeaders(identity), log }),
			log,
			onReboot() {
				close();
				system.restart();
			},
			onReady(ready) {
				if (!closed) states.setConnected(ready);
			},
		});
	});
}
if (endpoint) start(endpoint, () => new EndpointSession({ server, connect: createWebSocketTransport({ url: endpoint, log }), log }));
if (!url && !endpoint) log('main: nothing to connect to; build with url="ws://host:port/path"');

/** Starts one session; settings that can never work cost a line in the log, not the other sessions. */
function start(url: string, create: () => { start(): void; close(): void }): void {
	try {
		const session = create();
		session.start();
		sessions.push(session);
		// The query may hold a token.
		log(`main: ${board.name} connects to ${url.split("?")[0]}`);
		states.setConnected(false);
	} catch (error) {
		log(`main: ${(error as Error).message}`);
	}
}

function close(): void {
	closed = true;
	for (const session of sessions) session.close();
	board.close();
}
/** Lets a simulator end the firmware cleanly. */
globalThis.closeFirmware = close;

function text(value: unknown): string | undefined {
	return typeof value === "string" && value ? value : undefined;
}
