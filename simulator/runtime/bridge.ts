// The machine's end of the bridge to its host: commands out, events in, and what happens to an exception that nobody caught.
import { decodeText, encodeText, type Frame, type Header, pack, unpack } from "./frame.js";
import "./globals.js";

type Handler = (header: Header, bytes: Uint8Array) => void;

interface Scope {
	issueCommand?: (command: ArrayBuffer) => ArrayBuffer;
	handleCommand?: (event: ArrayBuffer) => void;
	handleFailure?: (reason: unknown) => void;
	handleRejection?: (reason: unknown) => void;
	closeFirmware?: () => void;
	abort?: (what: string, reason: unknown) => unknown;
	trace: (...parts: unknown[]) => void;
	console?: unknown;
	gc?: () => void;
	eval: (source: string) => unknown;
	[name: string]: unknown;
}

const scope = globalThis as unknown as Scope;
// Not the keyword: called by another name, it sees the globals only.
const { issueCommand, gc, eval: evaluateGlobally } = scope;
const handlers = new Map<string, Handler>();
const turnCallbacks: (() => void)[] = [];

/** Is there a host? False where the modules run directly on Node, as in unit tests. */
export const hosted = issueCommand !== undefined;

/**
 * Asks the host and waits for its answer.
 * @throws Error with the host's words when it refuses, or when there is no host
 */
export function callHost(header: Header, bytes?: Uint8Array): Frame {
	// What has changed is seen before anybody hears of it.
	if (header[0] === "socket.write") endTurn();
	if (!issueCommand) throw new Error(`"${header[0]}" needs the simulator's host: run this in the simulated machine or hand over a fake`);
	const reply = unpack(new Uint8Array(issueCommand(pack(header, bytes).buffer)));
	if (reply.header[0] === "error") throw new Error(String(reply.header[1]));
	return reply;
}

/** Registers who takes the host's events of one kind. */
export function onEvent(kind: string, handler: Handler): void {
	handlers.set(kind, handler);
}

/** Registers who is called after each event, and before something is sent. */
export function onTurn(callback: () => void): void {
	turnCallbacks.push(callback);
}

function endTurn(): void {
	for (const callback of turnCallbacks) callback();
}

// On hardware an exception that leaves a callback ends the machine, unless the firmware's own `abort` says false.
function abort(what: string, reason: unknown): void {
	try {
		if (scope.abort?.(what, reason) === false) return;
	} catch {
		// A failing hook cannot save the machine.
	}
	callHost(["abort", what, describe(reason)]);
}

function describe(reason: unknown): string {
	try {
		const stack = (reason as { stack?: unknown } | undefined)?.stack;
		return typeof stack === "string" && stack ? stack : String(reason);
	} catch {
		return "something that cannot be put into words";
	}
}

function evaluate(id: unknown, source: string): void {
	const settle = (ok: boolean, value: unknown) =>
		callHost(["evaluated", id, ok], encodeText(value === undefined ? "null" : (JSON.stringify(value) ?? "null")));
	new Promise((resolve) => resolve(evaluateGlobally(source))).then((value) => settle(true, value)).catch((reason) => settle(false, describe(reason)));
}

if (hosted) {
	scope.trace = (...parts) => {
		callHost(["trace"], encodeText(parts.map(String).join("")));
	};
	scope.handleFailure = (reason) => abort("unhandled exception", reason);
	scope.handleRejection = (reason) => abort("unhandled rejection", reason);
	scope.handleCommand = (event) => {
		try {
			const { header, bytes } = unpack(new Uint8Array(event));
			handlers.get(header[0])?.(header, bytes);
			endTurn();
		} catch (reason) {
			abort("unhandled exception", reason);
		}
	};
	onEvent("close", () => scope.closeFirmware?.());
	onEvent("collect", () => gc?.());
	onEvent("evaluate", (header, bytes) => evaluate(header[1], decodeText(bytes)));

	// Firmware that leans on any of these works here and fails on hardware.
	const foreign =
		"issueCommand TextDecoder TextEncoder Base64 setImmediate gc print performance currentMeterLimit resetMeter Intl WebAssembly console";
	for (const name of foreign.split(" ")) delete scope[name];
	// The worker reports what nobody caught to a `console.error`, also when the firmware has brought a console of its own.
	const isReport = (label: unknown, reason: unknown): boolean => {
		if (label === "UnhandledPromiseRejectionWarning:") abort("unhandled rejection", reason);
		else if (label === "Unhandled exception:") abort("unhandled exception", reason);
		else return false;
		return true;
	};
	const reporter = {
		error(label: unknown, reason: unknown) {
			if (!isReport(label, reason)) throw new ReferenceError("console is not defined");
		},
	};
	Object.defineProperty(globalThis, "console", {
		configurable: true,
		enumerable: false,
		get: () => reporter,
		set(own: Console) {
			Object.assign(reporter, own, {
				error(...parts: unknown[]) {
					if (!isReport(parts[0], parts[1])) own.error(...parts);
				},
			});
		},
	});
}
