// The composition root: board, server, start, sessions and transports are put together here and nowhere else.

import { createBoard } from "board/board";
import tools from "board/tools/index";
import config from "mc/config";
import Timer from "timer";
import { McpServer } from "./mcp/server.js";
import { isUsable, type Tool } from "./mcp/tool.js";
import { EndpointSession } from "./session/endpoint.js";
import { FRAME_HEAD, FRAME_TAIL, FramedSession } from "./session/framed.js";
import { XiaozhiSession, xiaozhiHeaders } from "./session/xiaozhi.js";
import { listSettings, resetSettings, setSetting, setting } from "./settings/device-settings.js";
import { peersOf } from "./settings/peers.js";
import { DeviceStates } from "./system/device-state.js";
import { Life } from "./system/life.js";
import { LongPress } from "./system/long-press.js";
import { type Servers, Start, safeTools } from "./system/start.js";
import { FirmwareUpgrade } from "./system/upgrade.js";
import { createTls } from "./tls/trusted-cas.js";
import { createMqttTransport } from "./transports/mqtt.js";
import { createTcpTransport } from "./transports/tcp.js";
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
const hide = missing.length ? (tool: Tool<never>) => !isUsable(tool, board) : undefined;
const life = new Life({ system, timers: Timer, log });
const tls = createTls(config.certificate, log);
const states = new DeviceStates((newState, oldState) => {
	log(`main: ${oldState} -> ${newState}`);
	server.notify("notifications/state_changed", { newState, oldState }, false);
});
const identity = { deviceId: text(config.device_id) ?? system.macAddress, clientId: text(config.client_id) ?? system.uuid };
const device = new Start({
	board,
	life,
	timers: Timer,
	...identity,
	tls,
	log,
	onServers: connect,
	onOffline: offline,
});
const upgrade = new FirmwareUpgrade({
	system,
	tls,
	log,
	notify: (params) => server.notify("notifications/upgrade", params, false),
	onUpgrading: (upgrading) => states.setUpgrading(upgrading),
	onDone: () => life.upgraded(),
});
const longPress = new LongPress(Timer, () => device.openSetup());
const living = {
	life,
	settings: { list: listSettings, set: setSetting, reset: resetSettings },
	openSetup: () => device.openSetup(),
	upgrade: (url: string) => upgrade.begin(url),
};
/** The device's server. */
export const server = new McpServer({
	name: board.name,
	version: system.version,
	board: Object.assign(board, living),
	tools: life.safeMode ? safeTools(tools) : tools,
	hide,
	timers: Timer,
	log,
	onRunning: (running) => states.setRunning(running),
});
// A press is of no use to who hears of it later.
board.onEvent = (event, params) => {
	longPress.see(event, params);
	server.notify(`notifications/${event}`, params, false);
};

interface Session {
	start(): void;
	close(): void;
}

let closed = false;
/** What is connected, by name, and with what settings. */
const sessions = new Map<string, { settings: string; session: Session }>();
/** Those that stand. */
const ready = new Set<object>();
device.start();

/** Brings the sessions in line with the servers that are known; those that stay the same go on. */
function connect(servers: Servers): void {
	const kept = new Set<string>();
	const keep = (name: string, address: string, settings: string, create: Create) => {
		kept.add(name);
		start(name, address, settings, create);
	};
	const { url, token, endpoints, mqtt, framed } = peersOf((name) => servers[name] ?? setting(name));
	// A device in safe mode holds the main session only.
	const safe = life.safeMode;
	if (url) {
		keep("session", url, `${url} ${token}`, (callbacks) => {
			const headers = xiaozhiHeaders({ ...identity, token });
			const connect = createWebSocketTransport({ url, headers, tls, log: named("session") });
			return new XiaozhiSession({ server, connect, log, onReboot, ...callbacks });
		});
	}
	if (mqtt && !(safe && url)) {
		const { endpoint, clientId = identity.deviceId } = mqtt;
		keep("mqtt", endpoint, JSON.stringify(mqtt), (callbacks) => {
			const connect = createMqttTransport({ ...mqtt, clientId, tls, log: named("mqtt") });
			return new XiaozhiSession({ server, connect, transport: "udp", name: "mqtt", log, onReboot, ...callbacks });
		});
	}
	if (!safe)
		endpoints.forEach((endpoint, i) => {
			const name = endpoints.length > 1 ? `endpoint ${i + 1}` : "endpoint";
			keep(name, endpoint, endpoint, (callbacks) => {
				const connect = createWebSocketTransport({ url: endpoint, tls, log: named(name) });
				return new EndpointSession({ server, connect, name, log, ...callbacks });
			});
		});
	if (framed && !safe) {
		const { address } = framed;
		keep("framed", address, JSON.stringify(framed), (callbacks) => {
			const connect = createTcpTransport({ address, head: FRAME_HEAD, tail: FRAME_TAIL, tls, log: named("framed") });
			return new FramedSession({ server, connect, ...framed, log, ...callbacks });
		});
	}
	for (const [name, { session }] of [...sessions]) {
		if (kept.has(name)) continue;
		sessions.delete(name);
		session.close();
	}
	if (!kept.size) log('main: nothing to connect to; build with url="ws://host:port/path", or call self.settings.set');
}

type Create = (callbacks: { onReady(ready: boolean): void; onLost(name: string, reason: string): void }) => Session;

/** Starts or replaces one session; settings that can never work cost a line in the log, not the other sessions. */
function start(name: string, address: string, settings: string, create: Create): void {
	const old = sessions.get(name);
	if (old?.settings === settings) return;
	sessions.delete(name);
	old?.session.close();
	try {
		const session = create({
			onReady(up) {
				if (up) ready.add(session);
				else ready.delete(session);
				if (closed) return;
				states.setConnected(ready.size > 0);
				if (up) life.good();
			},
			onLost: (name, reason) => life.lost(name, reason),
		});
		session.start();
		sessions.set(name, { settings, session });
		// The query may hold a token.
		log(`main: ${board.name} connects to ${address.split("?")[0]}`);
		states.setConnected(ready.size > 0);
	} catch (error) {
		log(`${name}: ${(error as Error).message}; off until its settings change`);
	}
}

/** The log for what belongs to one connection. */
function named(name: string): (line: string) => void {
	return (line) => log(`${name}: ${line}`);
}

/** Without a network there is nobody to talk to. */
function offline(): void {
	for (const { session } of sessions.values()) session.close();
	sessions.clear();
}

function onReboot(): void {
	close();
	life.restart("asked for by the server");
}

function close(): void {
	closed = true;
	device.close();
	longPress.close();
	upgrade.close();
	life.close();
	offline();
	board.close();
}
/** Lets a simulator end the firmware cleanly. */
globalThis.closeFirmware = close;

function text(value: unknown): string | undefined {
	return typeof value === "string" && value ? value : undefined;
}
