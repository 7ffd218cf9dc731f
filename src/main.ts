// The composition root: board, server, sessions and transports are put together here and nowhere else.

import { createBoard } from "board/board";
import tools from "board/tools/index";
import config from "mc/config";
import Timer from "timer";
import { needsMissing } from "./hardware/parts.js";
import { McpServer } from "./mcp/server.js";
import { EndpointSession } from "./session/endpoint.js";
import { FRAME_HEAD, FRAME_TAIL, FramedSession } from "./session/framed.js";
import { XiaozhiSession, xiaozhiHeaders } from "./session/xiaozhi.js";
import { DeviceStates } from "./system/device-state.js";
import { peersOf } from "./system/peers.js";
import { createMqttTransport } from "./transports/mqtt.js";
import { createTcpTransport } from "./transports/tcp.js";
import { createTls } from "./transports/trust.js";
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
/** Those that stand. */
const ready = new Set<object>();
const { url, token, endpoints, mqtt, framed } = peersOf(config);
const tls = createTls(config.certificate, log);
const identity = { token, deviceId: text(config.deviceId) ?? system.macAddress, clientId: text(config.clientId) ?? system.uuid };
if (url) {
	start(url, (onReady) => {
		return new XiaozhiSession({
			server,
			connect: createWebSocketTransport({ url, headers: xiaozhiHeaders(identity), tls, log }),
			log,
			onReboot,
			onReady,
		});
	});
}
if (mqtt) {
	const { endpoint, clientId = identity.deviceId } = mqtt;
	start(endpoint, (onReady) => {
		const connect = createMqttTransport({ ...mqtt, clientId, tls, log });
		return new XiaozhiSession({ server, connect, transport: "udp", name: "mqtt", log, onReboot, onReady });
	});
}
endpoints.forEach((endpoint, i) => {
	const name = endpoints.length > 1 ? `endpoint ${i + 1}` : "endpoint";
	start(endpoint, (onReady) => new EndpointSession({ server, connect: createWebSocketTransport({ url: endpoint, tls, log }), name, log, onReady }));
});
if (framed) {
	const { address } = framed;
	start(address, (onReady) => {
		return new FramedSession({
			server,
			connect: createTcpTransport({ address, head: FRAME_HEAD, tail: FRAME_TAIL, tls, log }),
			...framed,
			log,
			onReady,
		});
	});
}
if (!url && !mqtt && !framed && endpoints.length === 0) log('main: nothing to connect to; build with url="ws://host:port/path"');

function onReboot(): void {
	close();
	system.restart();
}

/** Starts one session; settings that can never work cost a line in the log, not the other sessions. */
function start(url: string, create: (onReady: (ready: boolean) => void) => { start(): void; close(): void }): void {
	try {
		const session = create((up) => {
			if (up) ready.add(session);
			else ready.delete(session);
			if (!closed) states.setConnected(ready.size > 0);
		});
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
