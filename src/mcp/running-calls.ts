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

/** A call from its request to its outcome, which goes to one caller; its tool sees it as its context. */
export abstract class Call<B = unknown> implements CallContext {
	readonly tool: Tool<B>;
	// These come with their use, since most calls are over at once.
	declare onCancel: (() => void) | undefined;
	/** Where the caller wants pictures to go. */
	declare vision: Vision | undefined;
	/** The time limit of a promise. */
	declare timer: unknown;
	/** How far the tool has said that it is. */
	declare private done: number | undefined;
	/** Nothing that the tool does matters any more. */
	declare over: true | undefined;
	/** The caller has given up, or time is up. */
	declare givenUp: true | undefined;

	constructor(tool: Tool<B>) {
		this.tool = tool;
	}

	/** By this it can be cancelled. */
	get id(): string | undefined {
		return undefined;
	}

	/** And by this, where its reply goes. */
	get outlet(): object | undefined {
		return undefined;
	}

	/** The most bytes that the caller takes as a result. */
	get maxResultBytes(): number | undefined {
		return undefined;
	}

	get cancelled(): boolean {
		return this.givenUp === true;
	}

	progress(done: number, total?: number, message?: string): void {
		if (this.over || !Number.isFinite(done) || (this.done !== undefined && done <= this.done)) return;
		this.done = done;
		this.moved(done, Number.isFinite(total) ? total : undefined, message);
	}

	/**
	 * The tool has returned.
	 * @throws TypeError or ToolError when the value cannot be sent; the call has then failed
	 */
	abstract returned(value: unknown): void;

	/**
	 * The call has failed.
	 * @param code INVALID_PARAMS where the arguments are wrong, otherwise TOOL_FAILED, BUSY or INTERNAL_ERROR
	 * @param message one sentence for the caller
	 */
	abstract failed(code: number, message: string): void;

	/** The call has come a step further; `done` has risen. */
	protected moved(_done: number, _total: number | undefined, _message: string | undefined): void {}
}

/** The calls of one peer. */
export class RunningCalls<B> {
	private readonly host: Host<B>;
	private readonly calls: Call<B>[] = [];
	/** Calls since the window of the rate limit began. */
	private recent = 0;
	private window: unknown;
	private closed = false;

	constructor(host: Host<B>) {
		this.host = host;
	}

	/**
	 * Starts a call. Nothing comes of one that is cancelled.
	 * @param given the arguments: an object; undefined and null are taken for an empty one
	 */
	start(call: Call<B>, given: unknown): void {
		const args = given ?? {};
		const problem = isObject(args) ? checkMembers(call.tool.members, args, "Argument ") : `arguments must be an object, got ${describe(args)}`;
		if (problem === undefined) this.run(call, args);
		else call.failed(INVALID_PARAMS, problem);
	}

	/** As `start`, with arguments that have been checked. */
	run(call: Call<B>, args: object): void {
		const busy = this.busy();
		if (busy !== undefined) return call.failed(BUSY, `Busy: ${busy}, try again`);
		let value: unknown;
		try {
			value = call.tool.call(args as never, this.host.board, call);
			if (typeof value !== "object" || !isThenable(value)) {
				call.over = true;
				return this.returned(call, value);
			}
		} catch (error) {
			call.over = true;
			return this.threw(call, error);
		}
		this.wait(call, value);
	}

	/** Apart from `run`, whose variables would cost memory at every call if functions in it used them. */
	private wait(call: Call<B>, value: unknown): void {
		const host = this.host;
		this.calls.push(call);
		host.countRunning(1);
		call.timer = host.timers.set(() => this.expire(call), timeLimitOf(call.tool));
		Promise.resolve(value).then(
			(result) => {
				if (!this.end(call)) return;
				try {
					this.returned(call, result);
				} catch (error) {
					this.threw(call, error);
				}
			},
			(error) => {
				if (this.end(call)) this.threw(call, error);
			},
		);
	}

	/** Cancels the calls with that id. */
	cancel(id: string): void {
		for (const call of [...this.calls]) if (call.id === id) this.giveUp(call);
	}

	/** Cancels the calls whose reply would go there. */
	drop(outlet: object): void {
		for (const call of [...this.calls]) if (call.outlet === outlet) this.giveUp(call);
	}

	/** Why no more calls are taken now. */
	private busy(): string | undefined {
		const host = this.host;
		if (this.calls.length >= MAX_PEER_CALLS) return `${MAX_PEER_CALLS} calls of this connection are running`;
		if (host.running >= MAX_RUNNING_CALLS) return `${MAX_RUNNING_CALLS} calls are running`;
		return host.callsPerSecond ? this.tooMany(host.callsPerSecond) : undefined;
	}

	private tooMany(callsPerSecond: number): string | undefined {
		if (this.recent >= callsPerSecond) return `more than ${callsPerSecond} calls within a second`;
		this.recent++;
		this.window ??= this.host.timers.set(() => {
			this.recent = 0;
			this.window = undefined;
		}, RATE_WINDOW_MS);
		return undefined;
	}

	/** Cancels every call; no outcome follows. */
	close(): void {
		this.closed = true;
		this.host.timers.clear(this.window);
		for (const call of [...this.calls]) this.giveUp(call);
	}

	private giveUp(call: Call<B>): void {
		if (this.end(call)) this.tellTool(call);
	}

	private expire(call: Call<B>): void {
		if (!this.end(call)) return;
		const { name } = call.tool;
		const timeLimitMs = timeLimitOf(call.tool);
		this.host.log(`mcp: tool ${name}: no result within ${timeLimitMs} ms`);
		call.failed(TOOL_FAILED, `${name} gave no result within ${timeLimitMs / 1000} seconds`);
		this.tellTool(call);
	}

	/**
	 * Whatever comes later of this call is dropped.
	 * @returns false where it was over already
	 */
	private end(call: Call<B>): boolean {
		const at = this.calls.indexOf(call);
		if (at < 0) return false;
		call.over = true;
		this.calls.splice(at, 1);
		this.host.countRunning(-1);
		this.host.timers.clear(call.timer);
		return true;
	}

	/** @throws what `Call.returned` does */
	private returned(call: Call<B>, value: unknown): void {
		if (this.closed) return;
		if (value === undefined || (typeof value === "number" && !Number.isFinite(value)))
			this.host.log(`mcp: tool ${call.tool.name} returned ${value}: return true, or what the caller is to be told`);
		call.returned(value);
	}

	private threw(call: Call<B>, error: unknown): void {
		if (this.closed) return;
		if (error instanceof ToolError) return call.failed(TOOL_FAILED, clip(error.message, 200));
		const { name } = call.tool;
		this.host.log(`mcp: tool ${name}: ${describeError(error)}`);
		call.failed(INTERNAL_ERROR, `${name} failed: ${clip(error instanceof Error ? error.message : String(error), 160)}`);
	}

	private tellTool(call: Call<B>): void {
		call.givenUp = true;
		try {
			call.onCancel?.();
		} catch (error) {
			this.host.log(`mcp: tool ${call.tool.name}: onCancel: ${describeError(error)}`);
		}
	}
}

function isThenable(value: object | null): value is PromiseLike<unknown> {
	return value !== null && !(value instanceof ContentItem) && typeof (value as { then?: unknown }).then === "function";
}
