// The composition root: board, server, startup, sessions and transports are put together here and nowhere else.

import { createBoard } from "board/board";
import tools from "board/tools/index";
import { createConsole } from "./base/console.js";
import { limitLog } from "./base/limited-log.js";
import { hideSecrets } from "./base/text.js";
import ConfigurationClient from "./features/configuration.js";
import createFramedSession from "./features/framed.js";
import createHttpService from "./features/http.js";
import Announcement from "./features/mdns.js";
import createMqttTransport from "./features/mqtt.js";
import BoardResources from "./features/resources.js";
import SetupMode from "./features/setup.js";
import TimerList from "./features/timers.js";
import createTls from "./features/tls.js";
import FirmwareUpgrade from "./features/upgrade.js";
import createVision from "./features/vision.js";
import type { Door } from "./http/listener.js";
import { ToolError } from "./mcp/content.js";
import { isOwnEvent } from "./mcp/json-rpc.js";
import { checkMembers } from "./mcp/schema.js";
import { McpServer } from "./mcp/server.js";
import { isUsable, type Tool } from "./mcp/tool.js";
import { NAMES, NAMES_OF_CALLS } from "./names.js";
import config from "./sdk/config.js";
import Timer from "./sdk/timer.js";
import { EndpointSession } from "./session/endpoint.js";
import { Sayings } from "./session/sayings.js";
import { type ManagedSession, type SessionCallbacks, SessionManager } from "./session/session-manager.js";
import { type SpeechKind, XiaozhiSession, xiaozhiHeaders } from "./session/xiaozhi.js";
import { type ConnectionSettings, secretsOf } from "./settings/connection-settings.js";
import { setting } from "./settings/settings.js";
import { parseZone } from "./settings/table.js";
import { BootLog } from "./system/boot-log.js";
import { DeviceStateTracker } from "./system/device-state.js";
import { FirmwareOffer } from "./system/firmware-offer.js";
import { confirmsFirmware, FirmwareTrial } from "./system/firmware-trial.js";
import { LongPress } from "./system/long-press.js";
import { PeerRights } from "./system/owner-tools.js";
import { safeConnections, safeTools } from "./system/safe-mode.js";
import { createServices } from "./system/services.js";
import { Startup } from "./system/startup.js";
import { Subtitles } from "./system/subtitles.js";
import { createWebSocketTransport } from "./transports/websocket.js";

/** A throw or a rejection that nothing caught costs a line in the log, not the machine; the rest (no memory) restarts it. */
globalThis.abort = (reason) => {
	trace(`main: ${reason}\n`);
	if (reason === "unhandled exception" || reason === "unhandled rejection") return false;
};

const log = (line: string) => trace(`${line}\n`);
globalThis.console = createConsole(log);
const board = createBoard();
const { system } = board;
const trial = new FirmwareTrial({ system, timers: Timer, log });
const bootLog = new BootLog({ system, trial, timers: Timer, log });
const { safeMode, weakSupply } = bootLog;
// Not before the start is in the record: what moves may bring the supply down.
board.start?.(weakSupply);
if (board.start && weakSupply !== undefined) log(`main: ${board.name} leaves its servos off: ${weakSupply}`);
const missing = board.missing ?? [];
for (const { part, reason } of missing) log(`main: ${board.name} starts without its ${part}: ${reason}`);
const hide =
	missing.length || !TimerList ? (tool: Tool<never>) => !isUsable(tool, board) || (!TimerList && tool.name.startsWith("self.timer.")) : undefined;
const tls = createTls?.(config.certificate, config.legacy_tls, log);
const identity = { deviceId: text(config.device_id) ?? system.macAddress, clientId: text(config.client_id) ?? system.uuid };
let closed = false;

const state = new DeviceStateTracker((newState, oldState) => {
	log(`main: ${oldState} -> ${newState}`);
	board.onState?.(newState);
	server.notify("notifications/state_changed", { newState, oldState }, false);
});
const sessions = new SessionManager<ConnectionSettings>({
	create: createSession,
	log,
	onStarted(settings) {
		if (settings.kind === "http") return;
		const { authority, path = "" } = addressOf(settings);
		// The query may hold a token.
		log(`main: ${board.name} connects to ${authority}${path.split("?")[0]}`);
	},
	onChange(ready) {
		if (!closed) state.setConnected(ready > 0);
	},
	onReady(settings) {
		if (confirmsFirmware(settings)) trial.pass();
	},
	onLost: (settings, reason) => bootLog.lost(settings.name, hideSecrets(reason, secretsOf(settings))),
});
/** The listening sockets, which stay open. */
const doors: Door[] = [];
const startup = new Startup({
	board,
	timers: Timer,
	doors,
	...identity,
	tls,
	SetupMode,
	ConfigurationClient,
	log,
	onConnections(connections) {
		sessions.update(safeMode ? safeConnections(connections) : connections);
		if (!connections.length) log('main: nothing to connect to; build with url="ws://host:port/path", or call self.settings.set');
	},
	onZone: (minutes) => timerList?.setZone(minutes),
	onFirmware: (firmware) => offer.take(firmware),
	onExpectHello: (expected) => trial.expectHello(expected),
	onOffline: () => sessions.close(),
	onSaved: () => bootLog.restart("set up"),
});
const upgrade =
	FirmwareUpgrade &&
	new FirmwareUpgrade({
		system,
		timers: Timer,
		tls,
		key: config.upgrade_key,
		log,
		notify: (params) => server.notify("notifications/upgrade", params, false),
		onUpgrading: (upgrading) => state.setUpgrading(upgrading),
		onDone: () => bootLog.upgraded(),
	});
const offer = new FirmwareOffer({
	version: system.version,
	timers: Timer,
	log,
	notify: (params) => server.notify("notifications/upgrade_available", params),
	show: (text) => startup.show(text),
	install: upgrade?.signed && setting("auto_upgrade") === "on" ? (url) => upgrade.begin(url) : undefined,
});
const longPress = new LongPress(Timer, () => startup.offerSetup());
const services = createServices({
	board,
	bootLog,
	timers: Timer,
	openSetup: () => startup.openSetup(),
	upgrade(url = offer.url, force) {
		if (!upgrade) throw new ToolError("This firmware was built without upgrades");
		if (!url) throw new ToolError("No newer firmware is known: give the url of an image");
		return upgrade.begin(url, force);
	},
});
const resources = BoardResources && new BoardResources(board, Timer);
/** The device's server. */
export const server = new McpServer({
	name: board.name,
	version: system.version,
	instructions: `This is ${board.about ?? `the device ${board.name}`}. Its tools act on it at once, where people see and hear it; self_get_device_status tells its present state.`,
	resources,
	board: Object.assign(board, { services }),
	names: NAMES,
	callNames: NAMES_OF_CALLS,
	tools: safeMode ? safeTools(tools) : tools,
	hide,
	timers: Timer,
	log: limitLog(log, Timer, "mcp"),
	callsPerSecond: Number(config.calls_per_second ?? 0),
	onRunning: (running) => state.setRunning(running),
});
if (!safeMode) board.useTools?.(server as never);
// A press means nothing to a peer that would hear of it later.
board.onEvent = (event, params) => {
	if (!isOwnEvent(event)) return log(`main: the board's event ${event} has a name of MCP's, and is not told`);
	longPress.see(event, params);
	resources?.event(event, params);
	server.notify(`notifications/${event}`, params, false);
	sessions.wake();
};
const sayings = new Sayings({ timers: Timer, log, wake: () => sessions.wake(), send: (text) => sessions.say(text) });
board.say = (text, keep) => sayings.say(text, keep);
let timerList: InstanceType<NonNullable<typeof TimerList>> | undefined;
if (TimerList) {
	const caller = server.openDirect();
	const prefix = setting("endpoint_prefix");
	/** A model on an endpoint with a prefix knows the tools by their names there. */
	const find = (name: string) =>
		server.find(name) ?? (prefix && name.startsWith(`${prefix}_`) ? server.find(`self${name.slice(prefix.length)}`) : undefined);
	timerList = new TimerList({
		timers: Timer,
		log,
		say: (text) => sayings.say(text, true),
		checkCall(name, args) {
			const tool = find(name);
			if (!tool) return `Unknown tool: ${name}`;
			return checkMembers(tool.members, args, "Argument ");
		},
		call: (name, args, done) => caller.call(find(name)?.name ?? name, args, (outcome) => done("error" in outcome ? outcome.error : undefined)),
		names: () => server.knownNames,
		notify: (params) => server.notify("notifications/timer_due", params, false),
		zone: setting("timezone") ? parseZone(setting("timezone")) : undefined,
	});
	services.timers = timerList;
} else if (setting("timezone")) log("main: timezone is not used: this firmware was built without timers");
services.see = createVision?.({ timers: Timer, tls, ...identity });
const subtitles = board.screen && "showText" in board.screen ? new Subtitles(Timer, (text) => startup.show(text)) : undefined;
startup.start();

/** Makes the session that a connection is for, over its transport. */
function createSession(settings: ConnectionSettings, callbacks: SessionCallbacks): ManagedSession {
	const { name } = settings;
	if ("problem" in settings) throw new TypeError(settings.problem);
	// A peer may repeat what it was sent.
	const peerLog = limitLog(log, Timer, name, secretsOf(settings));
	const base = { server, name, log: peerLog, callbacks };
	const below = { tls, timers: Timer, log: peerLog, name };
	const main = {
		...base,
		language: setting("language") === "zh" ? ("zh" as const) : undefined,
		onDemand: setting("session") === "on_demand",
		onReboot,
		onSpeech,
		onRefused: () => startup.configureAgain(),
	};
	switch (settings.kind) {
		case "session": {
			const { token, url } = settings;
			const connect = createWebSocketTransport({ url, headers: xiaozhiHeaders({ ...identity, token }), ...below });
			return new XiaozhiSession({ ...main, rights: new PeerRights(url.secure, true), connect });
		}
		case "mqtt": {
			if (!createMqttTransport) throw new TypeError("this firmware was built without MQTT");
			const { clientId = identity.deviceId, publishTopic = "" } = settings;
			const connect = createMqttTransport({ ...settings, clientId, publishTopic, ...below });
			return new XiaozhiSession({ ...main, rights: new PeerRights(settings.address.secure, true), connect, transport: "udp" });
		}
		case "endpoint": {
			const { prefix, trusted = [], url } = settings;
			const connect = createWebSocketTransport({ url, ...below });
			return new EndpointSession({
				...base,
				rights: new PeerRights(url.secure, trusted.includes(url.authority)),
				...(prefix && { prefix }),
				connect,
			});
		}
		case "http": {
			const { port, token, userTools = false } = settings;
			if (!createHttpService) throw new TypeError("this firmware was built without MCP over HTTP");
			const { wifi, macAddress } = system;
			const about = { name: board.name, macAddress, port, timers: Timer, log: peerLog };
			const announce =
				wifi && Announcement ? (path: string) => new (Announcement as NonNullable<typeof Announcement>)({ ...about, path }) : undefined;
			return createHttpService({
				...base,
				rights: new PeerRights(false, userTools),
				token,
				port,
				doors,
				announce,
				host: wifi ? undefined : "127.0.0.1",
			});
		}
		case "framed": {
			const { address, language, token = "", userTools = false, voiceId } = settings;
			if (!createFramedSession) throw new TypeError("this firmware was built without the framed service");
			return createFramedSession({ ...base, rights: new PeerRights(address.secure, userTools), token, voiceId, language }, { address, ...below });
		}
	}
}

/** Where a connection leads. */
function addressOf(settings: ConnectionSettings): { readonly authority: string; readonly path?: string } {
	if ("url" in settings) return settings.url;
	return "address" in settings ? settings.address : { authority: settings.name };
}

function onSpeech(kind: SpeechKind, text: string): void {
	subtitles?.take(kind, text);
	board.onSpeech?.(kind, text);
}

function onReboot(): void {
	const problem = bootLog.askedProblem;
	if (problem !== undefined) return log(`main: no restart: ${problem}`);
	close();
	bootLog.planAsked("asked for by the server");
	system.restart();
}

function close(): void {
	closed = true;
	startup.close();
	longPress.close();
	upgrade?.close();
	offer.close();
	sayings.close();
	timerList?.close();
	subtitles?.close();
	bootLog.close();
	sessions.close();
	board.close();
}
/** Lets a simulator end the firmware cleanly. */
globalThis.closeFirmware = close;

function text(value: unknown): string | undefined {
	return typeof value === "string" && value ? value : undefined;
}
