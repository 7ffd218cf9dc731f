// Tool calls from their arguments to their outcome: the check, the time limit, cancellation and progress.

import { ContentItem, ToolError } from "./content.js";
import type { Host } from "./host.js";
import { BUSY, INTERNAL_ERROR, INVALID_PARAMS, TOOL_FAILED } from "./json-rpc.js";
import { checkMembers, describe, isObject } from "./schema.js";
import { clip, describeError } from "./text.js";
import { type CallContext, type Tool, timeLimitOf, type Vision } from "./tool.js";

/** The most calls of one device that wait for a promise at a time. */
export const MAX_RUNNING_CALLS = 8;
/** And of one peer, so that its hanging calls leave room for the others'. */
export const MAX_PEER_CALLS = 4;
/** What a peer may call at once is refilled after so long. */
const RATE_WINDOW_MS = 1000;

/** Takes the outcome of one call. Nothing comes of a call that is cancelled. */
export interface Caller {
	/** By this the call can be cancelled. */
	readonly id?: string;
	/** And by this, where its reply goes. */
	readonly outlet?: object;
	/** Where it wants pictures to go. */
	readonly vision?: Vision | undefined;
	/** The most bytes that it takes as a result. */
	readonly maxResultBytes?: number;
	/**
	 * The tool has returned.
	 * @throws TypeError or ToolError when the value cannot be sent; the call has then failed
	 */
	returned(value: unknown): void;
	/**
	 * The call has failed.
	 * @param code INVALID_PARAMS where the arguments are wrong, otherwise TOOL_FAILED, BUSY or INTERNAL_ERROR
	 * @param message one sentence for the caller
	 */
	failed(code: number, message: string): void;
	/** The call has come a step further; `done` has risen. */
	progress?(done: number, total: number | undefined, message: string | undefined): void;
}

/** The calls of one peer. */
export class RunningCalls<B> {
	readonly #host: Host<B>;
	readonly #calls: RunningCall<B>[] = [];
	/** Calls since the window of the rate limit began. */
	#recent = 0;
	#window: unknown;
	#closed = false;

	constructor(host: Host<B>) {
		this.#host = host;
	}

	/**
	 * Starts a call.
	 * @param given the arguments: an object; undefined and null are taken for an empty one
	 */
	start(tool: Tool<B>, given: unknown, caller: Caller): void {
		const host = this.#host;
		const args = given ?? {};
		const problem = isObject(args) ? checkMembers(tool.members, args, "Argument ") : `arguments must be an object, got ${describe(args)}`;
		if (problem) return caller.failed(INVALID_PARAMS, problem);
		const busy = this.#busy();
		if (busy !== undefined) return caller.failed(BUSY, `Busy: ${busy}, try again`);
		const call = new RunningCall(this, host, tool, caller);
		let value: unknown;
		try {
			value = tool.call(args as never, host.board, call);
			if (!isThenable(value)) return call.returned(value);
		} catch (error) {
			return call.failed(error);
		}
		this.#calls.push(call);
		host.countRunning(1);
		call.timer = host.timers.set(() => call.expire(), timeLimitOf(tool));
		Promise.resolve(value).then(
			(result) => call.returned(result),
			(error) => call.failed(error),
		);
	}

	/** Cancels the calls with that id. */
	cancel(id: string): void {
		for (const call of [...this.#calls]) if (call.caller.id === id) call.cancel();
	}

	/** Cancels the calls whose reply would go there. */
	drop(outlet: object): void {
		for (const call of [...this.#calls]) if (call.caller.outlet === outlet) call.cancel();
	}

	/** Why no more calls are taken now. */
	#busy(): string | undefined {
		const { callsPerSecond = 0, running, timers } = this.#host;
		if (this.#calls.length >= MAX_PEER_CALLS) return `${MAX_PEER_CALLS} calls of this connection are running`;
		if (running >= MAX_RUNNING_CALLS) return `${MAX_RUNNING_CALLS} calls are running`;
		if (callsPerSecond === 0) return undefined;
		if (this.#recent >= callsPerSecond) return `more than ${callsPerSecond} calls within a second`;
		this.#recent++;
		this.#window ??= timers.set(() => {
			this.#recent = 0;
			this.#window = undefined;
		}, RATE_WINDOW_MS);
		return undefined;
	}

	/** Cancels every call; no outcome follows. */
	close(): void {
		this.#closed = true;
		this.#host.timers.clear(this.#window);
		for (const call of [...this.#calls]) call.cancel();
	}

	/**
	 * @internal The call is over.
	 * @returns whether its outcome is still wanted
	 */
	ended(call: RunningCall<B>): boolean {
		const at = this.#calls.indexOf(call);
		if (at >= 0) {
			this.#calls.splice(at, 1);
			this.#host.countRunning(-1);
			this.#host.timers.clear(call.timer);
		}
		return !this.#closed;
	}
}

/** A call between its request and its outcome; the tool sees it as its context. */
class RunningCall<B> implements CallContext {
	cancelled = false;
	onCancel: (() => void) | undefined;
	timer: unknown;
	readonly caller: Caller;
	readonly #calls: RunningCalls<B>;
	readonly #host: Host<B>;
	readonly #tool: Tool<B>;
	#done = Number.NEGATIVE_INFINITY;
	#over = false;

	constructor(calls: RunningCalls<B>, host: Host<B>, tool: Tool<B>, caller: Caller) {
		this.#calls = calls;
		this.#host = host;
		this.#tool = tool;
		this.caller = caller;
	}

	get vision(): Vision | undefined {
		return this.caller.vision;
	}

	get maxResultBytes(): number | undefined {
		return this.caller.maxResultBytes;
	}

	progress(done: number, total?: number, message?: string): void {
		if (this.#over || !(done > this.#done) || !Number.isFinite(done)) return;
		this.#done = done;
		this.caller.progress?.(done, Number.isFinite(total) ? total : undefined, message);
	}

	returned(value: unknown): void {
		if (!this.#end()) return;
		const { name } = this.#tool;
		if (value === undefined || (typeof value === "number" && !Number.isFinite(value)))
			this.#host.log(`mcp: tool ${name} returned ${value}: return true, or what the caller is to be told`);
		try {
			this.caller.returned(value);
		} catch (error) {
			this.#fail(error);
		}
	}

	failed(error: unknown): void {
		if (this.#end()) this.#fail(error);
	}

	expire(): void {
		const { name } = this.#tool;
		const timeLimitMs = timeLimitOf(this.#tool);
		if (!this.#end()) return;
		this.#host.log(`mcp: tool ${name}: no result within ${timeLimitMs} ms`);
		this.caller.failed(TOOL_FAILED, `${name} gave no result within ${timeLimitMs / 1000} seconds`);
		this.#tellTool();
	}

	cancel(): void {
		if (this.#over) return;
		this.#end();
		this.#tellTool();
	}

	/** Whatever comes later of this call is dropped. */
	#end(): boolean {
		if (this.#over) return false;
		this.#over = true;
		return this.#calls.ended(this);
	}

	#fail(error: unknown): void {
		if (error instanceof ToolError) return this.caller.failed(TOOL_FAILED, clip(error.message, 200));
		const { name } = this.#tool;
		this.#host.log(`mcp: tool ${name}: ${describeError(error)}`);
		this.caller.failed(INTERNAL_ERROR, `${name} failed: ${clip(error instanceof Error ? error.message : String(error), 160)}`);
	}

	#tellTool(): void {
		this.cancelled = true;
		try {
			this.onCancel?.();
		} catch (error) {
			this.#host.log(`mcp: tool ${this.#tool.name}: onCancel: ${describeError(error)}`);
		}
	}
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
	return typeof value === "object" && value !== null && !(value instanceof ContentItem) && typeof (value as { then?: unknown }).then === "function";
}
