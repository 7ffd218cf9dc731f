// The composition root: board, server, session and transport are put together here and nowhere else.

import { createBoard } from "board/board";
import tools from "board/tools/index";
import config from "mc/config";
import Timer from "timer";
import { McpServer } from "./mcp/server.js";
import { XiaozhiSession, xiaozhiHeaders } from "./session/xiaozhi.js";
import { createWebSocketTransport } from "./transports/websocket.js";

/** A throw or a rejection that nothing caught costs a line in the log, not the machine; the rest (no memory) restarts it. */
globalThis.abort = (reason) => {
	trace(`main: ${reason}\n`);
	if (reason === "unhandled exception" || reason === "unhandled rejection") return false;
};

const log = (line: string) => trace(`${line}\n`);
const board = createBoard();
const { system } = board;
/** The device's server. */
export const server = new McpServer({ name: board.name, version: system.version, board, tools, timers: Timer, log });

let session: XiaozhiSession<typeof board> | undefined;
const url = config.url;
if (typeof url === "string" && url) {
	const identity = { token: text(config.token), deviceId: text(config.deviceId) ?? system.macAddress, clientId: text(config.clientId) ?? system.uuid };
	try {
		session = new XiaozhiSession({
			server,
			connect: createWebSocketTransport({ url, headers: xiaozhiHeaders(identity), log }),
			log,
			onReboot() {
				close();
				system.restart();
			},
		});
		session.start();
		log(`main: ${board.name} connects to ${url.split("?")[0]}`);
	} catch (error) {
		log(`main: ${(error as Error).message}`);
	}
} else log('main: no url is configured; build with url="ws://host:port/path"');

function close(): void {
	session?.close();
	board.close();
}
/** Lets a simulator end the firmware cleanly. */
globalThis.closeFirmware = close;

function text(value: unknown): string | undefined {
	return typeof value === "string" && value ? value : undefined;
}
