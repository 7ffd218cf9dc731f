// The hub's face to MCP clients: all devices as one standard MCP server, made by the official server library.

import { readFileSync } from "node:fs";
import { type CallToolResult, ProtocolError as DeviceError, type Progress } from "@modelcontextprotocol/client";
import { type McpRequestContext, ProtocolError, ProtocolErrorCode, Server, type ServerContext, type Tool } from "@modelcontextprotocol/server";
import type { Device, Devices } from "./devices.js";
import { isSendable } from "./json.js";
import { callOffered, failureOf, Offer } from "./offer.js";

const VERSION: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

export interface GatewayOptions {
	/** Offer the tools that are for people only, too. */
	userTools?: boolean;
	/** Settles when the devices that are expected at the start are there, or will not come; requests wait for it. */
	ready?: Promise<unknown>;
}

/** Somebody who wants to hear of changes, whatever carries it. */
export interface ChangeListener {
	toolsChanged(): void;
	resourcesChanged(): void;
	resourceUpdated(uri: string): void;
}

export class Gateway {
	readonly #devices: Devices;
	readonly #options: GatewayOptions;
	readonly #listeners = new Set<ChangeListener>();
	readonly #stop: () => void;
	#offer: Offer | undefined;
	/** The lists as clients have seen them, or could have; undefined while they still have to wait for them. */
	#seen: { tools: string; resources: string } | undefined;

	constructor(devices: Devices, options: GatewayOptions = {}) {
		this.#devices = devices;
		this.#options = options;
		this.#stop = devices.listen({
			onChange: () => this.#onChange(),
			onResourceUpdated: (device, uri) => {
				const offered = this.#current().uriOf(device, uri);
				for (const listener of this.#listeners) listener.resourceUpdated(offered);
			},
		});
		void Promise.resolve(options.ready).then(() => {
			this.#seen = this.#lists();
		});
	}

	/** Nothing is told any more. */
	close(): void {
		this.#stop();
		this.#listeners.clear();
	}

	/** @returns ends the listening */
	listen(listener: ChangeListener): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Asks the devices to report changes of these resources. What cannot be subscribed to is left out. */
	async subscribe(uris: readonly string[]): Promise<void> {
		await this.#options.ready;
		const found = uris.map((uri) => this.#current().findResource(uri));
		await Promise.allSettled(found.map((resource) => resource?.device.subscribeResource(resource.uri)));
	}

	/** A server for one HTTP request of revision 2026-07-28, which is told of changes through the handler's own bus. */
	readonly createServer = (): Server => this.#createServer(new Set());

	/** A server that stays for a connection or a session, and tells its client of changes itself. */
	readonly createLastingServer = ({ era }: Pick<McpRequestContext, "era">): Server => {
		const subscribed = new Set<string>();
		const server = this.#createServer(subscribed);
		const modern = era === "modern";
		let told = modern;
		// A client that has gone meanwhile is not told.
		const tell = (send: () => Promise<void>) => told && void send().catch(() => {});
		const stop = this.listen({
			toolsChanged: () => tell(() => server.sendToolListChanged()),
			resourcesChanged: () => tell(() => server.sendResourceListChanged()),
			resourceUpdated: (uri) => (modern || subscribed.has(uri)) && tell(() => server.sendResourceUpdated({ uri })),
		});
		server.oninitialized = () => {
			told = true;
		};
		server.onclose = stop;
		return server;
	};

	#createServer(subscribed: Set<string>): Server {
		const server = new Server(
			{ name: "moddable-mcp-gateway", title: "Moddable MCP gateway", version: VERSION },
			{ capabilities: { tools: { listChanged: true }, resources: { listChanged: true, subscribe: true } }, instructions: this.#instructions() },
		);
		server.setRequestHandler("tools/list", async () => ({ tools: (await this.#ready()).tools.map(({ name, tool }) => ({ ...tool, name }) as Tool) }));
		server.setRequestHandler("tools/call", async ({ params }, context) => {
			const offer = await this.#ready();
			const offered = offer.find(params.name);
			if (!offered) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
			const { signal, _meta } = context.mcpReq;
			const token = _meta?.progressToken;
			// One after the other, and all before the result.
			let told = Promise.resolve();
			const tell = (progress: Progress) => {
				told = told.then(() => sendProgress(context, token as string | number, progress));
			};
			const result = await callOffered(offered, params.arguments ?? {}, { signal, onProgress: token === undefined ? undefined : tell });
			await told;
			return withOfferedUris(result, offered.device, offer);
		});
		server.setRequestHandler("resources/list", async () => ({ resources: (await this.#ready()).resources }));
		server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: (await this.#ready()).resourceTemplates }));
		server.setRequestHandler("resources/read", async ({ params }, { mcpReq }) => {
			const offer = await this.#ready();
			const { device, uri } = findResource(offer, params.uri);
			try {
				const result = await device.readResource(uri, { signal: mcpReq.signal });
				if (!isSendable(result)) throw new Error("the content is nested too deeply");
				return { ...result, contents: result.contents.map((content) => ({ ...content, uri: offer.uriOf(device, content.uri) })) };
			} catch (error) {
				if (error instanceof DeviceError) throw new ProtocolError(error.code, error.message, error.data);
				throw new ProtocolError(ProtocolErrorCode.InternalError, failureOf(device, error));
			}
		});
		server.setRequestHandler("resources/subscribe", async ({ params }) => {
			const { device, uri } = findResource(await this.#ready(), params.uri);
			try {
				await device.subscribeResource(uri);
			} catch (error) {
				throw new ProtocolError(error instanceof DeviceError ? error.code : ProtocolErrorCode.InternalError, failureOf(device, error));
			}
			subscribed.add(params.uri);
			return {};
		});
		server.setRequestHandler("resources/unsubscribe", async ({ params }) => {
			subscribed.delete(params.uri);
			return {};
		});
		return server;
	}

	async #ready(): Promise<Offer> {
		await this.#options.ready;
		return this.#current();
	}

	#current(): Offer {
		this.#offer ??= new Offer(this.#devices.known, this.#options.userTools ?? false);
		return this.#offer;
	}

	#onChange(): void {
		this.#offer = undefined;
		const before = this.#seen;
		if (!before) return;
		const now = this.#lists();
		this.#seen = now;
		for (const listener of this.#listeners) {
			if (now.tools !== before.tools) listener.toolsChanged();
			if (now.resources !== before.resources) listener.resourcesChanged();
		}
	}

	#lists(): { tools: string; resources: string } {
		const offer = this.#current();
		return {
			tools: JSON.stringify(offer.tools.map(({ name, tool }) => [name, tool])),
			resources: JSON.stringify([offer.resources, offer.resourceTemplates]),
		};
	}

	#instructions(): string {
		const devices = this.#devices.known;
		const [only] = devices;
		if (only && devices.length === 1) return only.instructions ?? `The tools move ${only.name}, a board on the user's desk.`;
		if (devices.length === 0) return "The tools move boards on the user's desk.";
		const offer = this.#current();
		const labels = devices.map((device) => offer.labelOf(device)).join(", ");
		return `The tools move several boards on the user's desk. Each tool's name begins with its board: ${labels}.`;
	}
}

function findResource(offer: Offer, uri: string): { device: Device; uri: string } {
	const found = offer.findResource(uri);
	if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown resource: ${uri}`, { uri });
	return found;
}

async function sendProgress({ mcpReq }: ServerContext, progressToken: string | number, { progress, total, message }: Progress): Promise<void> {
	const params = { progressToken, progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) };
	// A client that has gone meanwhile is not told.
	await mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
}

/** Links and embedded resources in a result lead to where the gateway offers them. */
function withOfferedUris(result: CallToolResult, device: Device, offer: Offer): CallToolResult {
	const content = result.content.map((item) => {
		if (item.type === "resource_link") return { ...item, uri: offer.uriOf(device, item.uri) };
		if (item.type === "resource") return { ...item, resource: { ...item.resource, uri: offer.uriOf(device, item.resource.uri) } };
		return item;
	});
	return { ...result, content };
}
