// A simulated machine in a browser's worker: one life of it, which ends with the worker. The firmware runs on the browser's own engine.
import { realClock } from "../clock.js";
import { Host } from "../host.js";
import { pack } from "../runtime/frame.js";
import { nextTurn } from "../turn.js";
import type { FromWorker, ToWorker } from "./messages.js";
import { WorkerNetwork } from "./worker-network.js";

interface WorkerScope {
	postMessage(message: FromWorker): void;
	addEventListener(type: string, listener: (event: { data: ToWorker; reason: unknown; preventDefault(): void }) => void): void;
	importScripts(url: string): void;
	/** The machine's end of the bridge: see simulator/runtime/bridge.ts. */
	issueCommand?(command: ArrayBuffer): ArrayBuffer;
	handleCommand?(event: ArrayBuffer): void;
	handleRejection?(reason: unknown): void;
}

const scope = globalThis as unknown as WorkerScope;
const tell = scope.postMessage.bind(scope);
const load = scope.importScripts.bind(scope);
const DONE = pack(["ok"]);

let over = false;
let network: WorkerNetwork | undefined;
const queue: Uint8Array[] = [];

function end(message: FromWorker): void {
	if (!over) tell(message);
	over = true;
}

/** Each event has a turn of its own, so that the firmware's promise jobs run before the next. */
function post(event: Uint8Array): void {
	queue.push(event);
	nextTurn(() => {
		const next = queue.shift();
		if (next && !over) scope.handleCommand?.(next.slice().buffer);
	});
}

function start({ config, preferences, firmware }: Extract<ToWorker, { kind: "start" }>): void {
	const host = new Host({
		config,
		preferences,
		clock: realClock,
		network: (options) => {
			network = new WorkerNetwork(options, tell);
			return network;
		},
		post,
		onTrace: (text) => tell({ kind: "trace", text }),
		onDescribe: (part, description) => tell({ kind: "describe", part, description }),
		onShow: (part, state) => tell({ kind: "show", part, state }),
		onRestart: () => end({ kind: "restart", preferences }),
		onAbort: (what, reason) => end({ kind: "failed", reason: `XS abort: ${what} ${reason}` }),
		onEvaluated() {},
	});
	// This engine cannot be stopped inside a call: the firmware goes on to the end of its turn, without effect.
	const command = (bytes: Uint8Array) => (over ? undefined : host.command(bytes)) ?? DONE;
	scope.issueCommand = (buffer) => command(new Uint8Array(buffer)).slice().buffer;
	scope.addEventListener("unhandledrejection", (event) => {
		event.preventDefault();
		scope.handleRejection?.(event.reason);
	});
	load(firmware);
}

scope.addEventListener("message", ({ data }) => {
	if (data.kind === "start") start(data);
	else if (data.kind === "input") post(pack(["input", data.part, data.input]));
	else if (data.kind === "data") network?.receive(data.socket, data.bytes);
	else network?.ended(data.socket);
});
