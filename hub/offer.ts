// The names under which a hub's tools and resources are offered to MCP clients and models, and what calls of them come to.

import {
	type CallToolResult,
	ProtocolError as DeviceError,
	type Progress,
	type Resource,
	type ResourceTemplateType,
	SdkError,
	SdkErrorCode,
	type Tool,
} from "@modelcontextprotocol/client";
import { AwayError, type Device } from "./devices.js";
import { isSendable } from "./json.js";

/** Models accept `[A-Za-z0-9_-]{1,64}`. */
const MAX_NAME_LENGTH = 64;

/** A tool of a device, as it is offered. */
export interface OfferedTool {
	/** What models see. */
	name: string;
	device: Device;
	/** As the device lists it. */
	tool: Tool;
}

/** A name as models accept it: `self.light.set_rgb` becomes `self_light_set_rgb`. */
export function foldName(name: string): string {
	return name.replace(/[^A-Za-z0-9_-]/g, "_");
}

/**
 * What each device is called where several are offered together: its own name, and the end of its id where another
 * device has the same name.
 */
export function deviceLabels(devices: readonly Device[]): Map<Device, string> {
	const labels = new Map<Device, string>();
	const count = new Map<string, number>();
	const folded = (device: Device) => foldName(device.name).toLowerCase() || "device";
	for (const device of devices) count.set(folded(device), (count.get(folded(device)) ?? 0) + 1);
	const taken = new Set<string>();
	for (const device of devices) {
		const name = folded(device);
		const label =
			count.get(name) === 1
				? name
				: `${name}_${device.id
						.replace(/[^A-Za-z0-9]/g, "")
						.slice(-4)
						.toLowerCase()}`;
		labels.set(device, unique(label, taken));
	}
	return labels;
}

/** All tools and resources of all devices under names that are unique; those of one device alone keep their own. */
export class Offer {
	readonly tools: readonly OfferedTool[];
	readonly #byName = new Map<string, OfferedTool>();
	readonly #labels: Map<Device, string>;
	readonly #single: boolean;

	constructor(devices: readonly Device[], withUserTools: boolean) {
		this.#labels = deviceLabels(devices);
		this.#single = devices.length === 1;
		const taken = new Set<string>();
		this.tools = [...this.#labels].flatMap(([device, label]) =>
			[...device.tools, ...(withUserTools ? device.userTools : [])].map((tool) => {
				const name = unique(foldName(this.#single ? tool.name : `${label}_${tool.name}`), taken);
				return { name, device, tool };
			}),
		);
		for (const offered of this.tools) this.#byName.set(offered.name, offered);
	}

	/** By the name as it is offered, or with the dots that the device has in it. */
	find(name: string): OfferedTool | undefined {
		const folded = this.#byName.get(name) ?? this.#byName.get(foldName(name));
		// A name that is too long for models is offered shortened.
		return folded ?? (this.#single ? this.tools.find(({ tool }) => tool.name === name) : undefined);
	}

	get resources(): Resource[] {
		return [...this.#labels.keys()].flatMap((device) => device.resources.map((resource) => ({ ...resource, uri: this.uriOf(device, resource.uri) })));
	}

	get resourceTemplates(): ResourceTemplateType[] {
		const of = (device: Device) => device.resourceTemplates.map((item) => ({ ...item, uriTemplate: this.uriOf(device, item.uriTemplate) }));
		return [...this.#labels.keys()].flatMap(of);
	}

	/** A resource's address as it is offered: where there are several devices, `esp-hi+board://status`. */
	uriOf(device: Device, uri: string): string {
		return this.#single ? uri : `${this.#scheme(device)}+${uri}`;
	}

	/** The device and its own address of a resource. */
	findResource(uri: string): { device: Device; uri: string } | undefined {
		for (const device of this.#labels.keys()) {
			if (this.#single) return { device, uri };
			const prefix = `${this.#scheme(device)}+`;
			if (uri.startsWith(prefix)) return { device, uri: uri.slice(prefix.length) };
		}
		return undefined;
	}

	/** What the device is called here. */
	labelOf(device: Device): string {
		return this.#labels.get(device) ?? device.name;
	}

	/** A scheme has no underscore and begins with a letter (RFC 3986, section 3.1). */
	#scheme(device: Device): string {
		const scheme = this.labelOf(device).replaceAll("_", "-");
		return /^[a-z]/.test(scheme) ? scheme : `d${scheme}`;
	}
}

/** The name, shortened to what models accept, and with a number behind it where it is taken. */
function unique(name: string, taken: Set<string>): string {
	let result = name.slice(0, MAX_NAME_LENGTH);
	for (let number = 2; taken.has(result); number++) result = `${name.slice(0, MAX_NAME_LENGTH - 1 - String(number).length)}_${number}`;
	taken.add(result);
	return result;
}

/** What a call of a tool came to, for a model to read; nothing that a device does is thrown. */
export async function callOffered(
	{ device, tool }: OfferedTool,
	args: Record<string, unknown>,
	options: { signal?: AbortSignal; onProgress?: ((progress: Progress) => void) | undefined } = {},
): Promise<CallToolResult> {
	// Over the envelope a device ignores them.
	const other = undeclared(tool.inputSchema as Schema, args, "");
	if (other !== undefined) return { content: [{ type: "text", text: other }], isError: true };
	try {
		const result = await device.callTool(tool.name, args, options);
		if (!isSendable(result)) throw new Error("the result is nested too deeply");
		return result;
	} catch (error) {
		return { content: [{ type: "text", text: failureOf(device, error) }], isError: true };
	}
}

interface Schema {
	readonly properties?: { readonly [name: string]: Schema };
	readonly items?: Schema;
	readonly additionalProperties?: unknown;
}

/** One sentence about an argument that the tool does not declare, also inside of objects and lists. */
function undeclared(schema: Schema | undefined, value: unknown, path: string): string | undefined {
	if (!schema || typeof value !== "object" || value === null) return undefined;
	if (Array.isArray(value)) return first(value.map((item, i) => () => undeclared(schema.items, item, `${path}[${i}]`)));
	const { additionalProperties, properties = {} } = schema;
	const names = Object.keys(properties);
	return first(
		Object.entries(value).map(([name, member]) => () => {
			const at = path ? `${path}.${name}` : name;
			if (names.includes(name)) return undeclared(properties[name], member, at);
			if (additionalProperties !== false) return undefined;
			return `Argument ${at.slice(0, 100)} is not declared; ${path || "the tool"} takes ${names.join(", ") || "none"}`;
		}),
	);
}

function first(problems: readonly (() => string | undefined)[]): string | undefined {
	for (const problem of problems) {
		const found = problem();
		if (found !== undefined) return found;
	}
	return undefined;
}

/** Why a device did not do something, with its name where it did not answer. */
export function failureOf(device: Device, error: unknown): string {
	if (error instanceof AwayError) return error.message;
	if (error instanceof DeviceError) return error.message;
	if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return `${device.name} did not answer in time`;
	return `${device.name}: ${error instanceof Error ? error.message : String(error)}`;
}
