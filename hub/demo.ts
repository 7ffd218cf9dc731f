// A short demonstration for any board: calls the tools that it knows by name, where the board has them, and checks what comes back.

import { type CallToolResult, ProtocolError, type Tool } from "@modelcontextprotocol/client";
import { foldName } from "./offer.js";

/** The part of a session that the demonstration needs. */
export interface ToolCaller {
	callTool(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
}

/** What the demonstration tells while it runs. */
export interface DemoCallbacks {
	onCall?(name: string, args: Record<string, unknown>): void;
	/** @param text the first text of the result */
	onResult?(text: string): void;
	/** The device refused a call, as it should have. */
	onRefused?(reason: string): void;
}

/** Something did not work; the message says what. */
export class DemoError extends Error {}

interface Step {
	/** The end of the tool's name: `light.set_rgb` is `self.light.set_rgb` on any board. */
	tool: string;
	/** What to pass; the other arguments that a tool requires are made up from its schema. */
	arguments?: Record<string, unknown>;
	/** Where the device status afterwards shows the argument of that name. */
	inStatus?: { argument: string; path: readonly string[] };
	/** A tool that afterwards tells a state, and the state that is right. */
	afterwards?: { tool: string; is(value: unknown): boolean };
	/** How long what it begins may be watched before the next step. */
	lastsMs?: number;
	/** The call has to be refused. */
	refused?: true;
}

const STATUS = "get_device_status";
const isOn = (value: unknown) => value === true || (typeof value === "object" && value !== null && (value as { power?: unknown }).power === true);
const isOff = (value: unknown) => value === false || (typeof value === "object" && value !== null && (value as { power?: unknown }).power === false);
const looksUpRight = (value: unknown) => {
	const { yaw, pitch } = (value ?? {}) as { yaw?: unknown; pitch?: unknown };
	return yaw === 30 && pitch === 20;
};

const STEPS: readonly Step[] = [
	{ tool: STATUS },
	{ tool: "audio_speaker.set_volume", arguments: { volume: 50 }, inStatus: { argument: "volume", path: ["audio_speaker", "volume"] } },
	{ tool: "audio_speaker.set_volume", arguments: { volume: 101 }, refused: true },
	{ tool: "screen.set_brightness", arguments: { brightness: 60 }, inStatus: { argument: "brightness", path: ["screen", "brightness"] } },
	{ tool: "screen.set_theme", arguments: { theme: "dark" }, inStatus: { argument: "theme", path: ["screen", "theme"] } },
	{ tool: "light.set_rgb", arguments: { r: 255, g: 96, b: 0 }, afterwards: { tool: "light.get_power", is: isOn } },
	{ tool: "led_strip.set_brightness", arguments: { level: 6 }, afterwards: { tool: "led_strip.get_brightness", is: (value) => value === 6 } },
	{ tool: "led_strip.set_all_color", arguments: { red: 0, green: 160, blue: 64 } },
	{ tool: "led_strip.set_single_color", arguments: { index: 0, red: 0, green: 0, blue: 255 } },
	{ tool: "light.turn_off", afterwards: { tool: "light.get_power", is: isOff } },
	{ tool: "lamp.turn_on", afterwards: { tool: "lamp.get_state", is: isOn } },
	{ tool: "servo.set_angle", arguments: { angle: 45 } },
	{ tool: "servo.set_angle", arguments: { servo: 1, angle: 135, speed: 90 } },
	{ tool: "robot.set_led_color", arguments: { red: 0, green: 0, blue: 168 } },
	{
		tool: "robot.set_head_angles",
		arguments: { yaw: 30, pitch: 20, speed: 300 },
		lastsMs: 1000,
		afterwards: { tool: "robot.get_head_angles", is: looksUpRight },
	},
	{ tool: "action", lastsMs: 600 },
	{ tool: "basic_control", lastsMs: 600 },
	{ tool: "hand_action", lastsMs: 600 },
	{ tool: "get_status" },
	{ tool: "stop", afterwards: { tool: "get_status", is: (value) => value !== "moving" } },
];

/** The tool whose name is `self.<end>`, or else the first that ends so. */
export function findTool(tools: readonly Tool[], end: string): Tool | undefined {
	const folded = foldName(end);
	return tools.find(({ name }) => foldName(name) === `self_${folded}`) ?? tools.find(({ name }) => name.endsWith(`.${end}`));
}

/**
 * Runs the demonstration on the tools of a list.
 * @returns how many calls were made
 * @throws DemoError at the first thing that does not work
 */
export async function runDemo(caller: ToolCaller, tools: readonly Tool[], callbacks: DemoCallbacks = {}): Promise<number> {
	const called = new Set<string>();
	let count = 0;

	async function call(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
		called.add(name);
		count++;
		callbacks.onCall?.(name, args);
		return await caller.callTool(name, args);
	}

	/** Calls a tool that has to work, and gives back the value in its first text. */
	async function value(tool: Tool, args: Record<string, unknown>): Promise<unknown> {
		let result: CallToolResult;
		try {
			result = await call(tool.name, args);
		} catch (error) {
			throw new DemoError(`${tool.name} ${JSON.stringify(args)} failed: ${messageOf(error)}`);
		}
		const text = firstText(result);
		if (result.isError) throw new DemoError(`${tool.name} ${JSON.stringify(args)} failed: ${text}`);
		if (result.isError !== false) throw new DemoError(`the result of ${tool.name} has no isError`);
		if (text === undefined) throw new DemoError(`the result of ${tool.name} does not begin with a text`);
		callbacks.onResult?.(text);
		return parse(text);
	}

	async function refused(name: string, args: Record<string, unknown>, code?: number): Promise<void> {
		let text: string | undefined;
		try {
			text = firstText(await call(name, args));
		} catch (error) {
			if (!(error instanceof ProtocolError)) throw new DemoError(`${name} failed: ${messageOf(error)}`);
			if (code !== undefined && error.code !== code) throw new DemoError(`${name} was refused with code ${error.code}, expected ${code}`);
			callbacks.onRefused?.(messageOf(error));
			return;
		}
		throw new DemoError(`${name} ${JSON.stringify(args)} should have been refused, but gave ${text}`);
	}

	for (const step of STEPS) {
		const tool = findTool(tools, step.tool);
		const args = tool && argumentsFor(tool, step.arguments ?? {});
		if (!tool || !args) continue;
		if (step.refused) {
			if (violates(tool, args)) await refused(tool.name, args);
			continue;
		}
		// Such as the second servo of a board that has one.
		if (violates(tool, args)) continue;
		await value(tool, args);
		if (step.lastsMs) await new Promise((resolve) => setTimeout(resolve, step.lastsMs));
		const status = step.inStatus && findTool(tools, STATUS);
		if (step.inStatus && status) {
			const expected = args[step.inStatus.argument];
			const path = step.inStatus.path;
			const shown = path.reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], await value(status, {}));
			if (shown !== expected)
				throw new DemoError(`after ${tool.name} ${JSON.stringify(args)} the status says ${path.join(".")} ${JSON.stringify(shown)}`);
		}
		const reader = step.afterwards && findTool(tools, step.afterwards.tool);
		if (step.afterwards && reader) {
			const state = await value(reader, {});
			if (!step.afterwards.is(state)) throw new DemoError(`after ${tool.name} ${JSON.stringify(args)} ${reader.name} says ${JSON.stringify(state)}`);
		}
	}
	for (const tool of tools) if (!called.has(tool.name) && onlyReads(tool)) await value(tool, {});
	if (count === 0) throw new DemoError("the board has no tool that the demonstration knows");
	await refused("self.no_such_tool", {}, -32601);
	return count;
}

/** A device's reason, without the client library's prefix. */
export function messageOf(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return error instanceof ProtocolError ? `error ${error.code}: ${message.replace(/^MCP error -?\d+: /, "")}` : message;
}

/** The first content item when it is a text. */
export function firstText(result: CallToolResult): string | undefined {
	const [first] = result.content;
	return first?.type === "text" ? first.text : undefined;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function onlyReads(tool: Tool): boolean {
	if (tool.inputSchema.required?.length) return false;
	const verb = tool.name.slice(tool.name.lastIndexOf(".") + 1);
	return tool.annotations?.readOnlyHint ?? verb.startsWith("get_");
}

interface Member {
	type?: unknown;
	default?: unknown;
	enum?: unknown;
	minimum?: unknown;
	maximum?: unknown;
}

/** The wanted arguments that the tool has, and a fitting value for each other one that it requires. */
function argumentsFor(tool: Tool, wanted: Record<string, unknown>): Record<string, unknown> | undefined {
	const members = (tool.inputSchema.properties ?? {}) as Record<string, Member>;
	const args: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(wanted)) {
		// A tool of the same name that takes something else is another tool.
		if (!Object.hasOwn(members, name)) return undefined;
		args[name] = value;
	}
	for (const name of tool.inputSchema.required ?? []) {
		if (Object.hasOwn(args, name)) continue;
		const made = makeUp(members[name] ?? {});
		if (made === undefined) return undefined;
		args[name] = made;
	}
	return args;
}

function makeUp(member: Member): unknown {
	if (member.default !== undefined) return member.default;
	if (Array.isArray(member.enum)) return member.enum[0];
	if (member.type === "boolean") return true;
	if (member.type === "integer" || member.type === "number") return member.minimum ?? 0;
	return undefined;
}

function violates(tool: Tool, args: Record<string, unknown>): boolean {
	const members = (tool.inputSchema.properties ?? {}) as Record<string, Member>;
	return Object.entries(args).some(([name, value]) => {
		const { minimum, maximum } = members[name] ?? {};
		return typeof value === "number" && ((typeof minimum === "number" && value < minimum) || (typeof maximum === "number" && value > maximum));
	});
}
