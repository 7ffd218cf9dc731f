// A hub with every face, in this process, and devices for it: the firmware on XS, and scripted ones.

import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { WebSocket } from "ws";
import { type Backend, type BackendOptions, ENDPOINT_PATH, startBackend } from "../../hub/backend.js";
import { deviceRoutes } from "../../hub/device-routes.js";
import { type Device, Devices, type DevicesListener } from "../../hub/devices.js";
import { Gateway } from "../../hub/gateway.js";
import { McpHttp } from "../../hub/mcp-http.js";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { LogWatch } from "./launch.js";
import type { Answer } from "./scripted-device.js";

const INFO = { name: "test-client", version: "1.0.0" };

export type Revision = "v1" | "2025-11-25" | "2026-07-28";

/** Devices, backend, device routes and the gateway's HTTP at `/mcp`, on one port of 127.0.0.1. */
export class TestHub {
	readonly devices: Devices;
	readonly problems: string[] = [];
	readonly refusals: string[] = [];
	readonly token: string | undefined;
	gateway!: Gateway;
	backend!: Backend;
	#mcp!: McpHttp;
	readonly #closables: { close(): unknown }[] = [];

	static async start(options: BackendOptions & { userTools?: boolean } = {}): Promise<TestHub> {
		const hub = new TestHub(options.userTools ?? false, options.token);
		const { userTools = false, ...rest } = options;
		hub.gateway = new Gateway(hub.devices, { userTools });
		hub.#mcp = new McpHttp(hub.gateway, (problem) => hub.problems.push(problem));
		hub.backend = await startBackend({
			routes: { mcp: hub.#mcp.route, devices: deviceRoutes(hub.devices, { userTools }) },
			onSession: (session) => void hub.devices.add(session),
			onProblem: (problem) => hub.problems.push(problem),
			onRefused: (reason) => hub.refusals.push(reason),
			...rest,
		});
		return hub;
	}

	private constructor(withUserTools: boolean, token: string | undefined) {
		this.devices = new Devices({ withUserTools });
		this.token = token;
	}

	get http(): string {
		return `http://127.0.0.1:${this.backend.port}`;
	}

	/** The next value that a listener of the devices gets, if it fits. */
	next<K extends keyof DevicesListener>(
		event: K,
		fits: (...values: Parameters<NonNullable<DevicesListener[K]>>) => boolean = () => true,
	): Promise<Parameters<NonNullable<DevicesListener[K]>>> {
		return new Promise((resolve) => {
			const stop = this.devices.listen({
				[event]: (...values: Parameters<NonNullable<DevicesListener[K]>>) => {
					if (!fits(...values)) return;
					stop();
					resolve(values);
				},
			});
		});
	}

	/** Settles when a device of that id is there. */
	async ready(id: string): Promise<Device> {
		const device = this.devices.find(id);
		return device?.session ? device : (await this.next("onReady", (found) => found.id === id))[0];
	}

	/** The firmware on XS, discovered. */
	async board(id: string, board = "simulator"): Promise<{ device: Device; running: RunningDevice; log: LogWatch }> {
		const log = new LogWatch();
		const running = await runDevice({
			board,
			engine: "auto",
			entry: "tests/firmware/entry.ts",
			config: { url: this.backend.url, device_id: id, token: this.token ?? "" },
			onLog: (line) => log.add(line),
		});
		this.#closables.push(running);
		return { device: await this.ready(id), running, log };
	}

	/** Where an MCP endpoint connects. */
	endpointUrl(deviceId?: string, token = this.token): string {
		const query = new URLSearchParams({ ...(token === undefined ? {} : { token }), ...(deviceId === undefined ? {} : { deviceId }) });
		return `ws://127.0.0.1:${this.backend.port}${ENDPOINT_PATH}?${query}`;
	}

	/** An MCP endpoint that answers as it is told, discovered. */
	async endpoint(deviceId: string, answers: Record<string, Answer>): Promise<ScriptedEndpoint> {
		const ready = this.next("onReady", ({ id }) => id === deviceId);
		const endpoint = await ScriptedEndpoint.connect(this.endpointUrl(deviceId), answers);
		this.#closables.push(endpoint);
		await ready;
		return endpoint;
	}

	/** An official client over HTTP. */
	// biome-ignore lint/suspicious/noExplicitAny: the clients of both libraries
	async client(revision: Revision, options: { token?: string | undefined; listChanged?: () => void } = {}): Promise<any> {
		const { token = this.token, listChanged } = options;
		const url = new URL(`${this.http}/mcp`);
		const requestInit = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } };
		const changes = listChanged ? { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: listChanged } } } : {};
		const mode = revision === "2026-07-28" ? { pin: revision } : ("legacy" as const);
		const client = revision === "v1" ? new ClientV1(INFO, changes) : new ClientV2(INFO, { versionNegotiation: { mode }, ...changes });
		this.#closables.push(client);
		// biome-ignore lint/suspicious/noExplicitAny: each library's transport fits its client
		await client.connect((revision === "v1" ? new HttpV1(url, { requestInit }) : new HttpV2(url, { requestInit })) as any);
		return client;
	}

	async close(): Promise<void> {
		for (const closable of this.#closables) await closable.close();
		this.gateway.close();
		this.devices.close();
		await this.#mcp.close();
		await this.backend.close();
	}
}

/** A device that is an MCP endpoint: bare JSON-RPC. */
export class ScriptedEndpoint {
	readonly closed: Promise<number>;
	/** Every message that came. */
	readonly received: { id?: unknown; method?: string; params?: Record<string, unknown> }[] = [];
	readonly #socket: WebSocket;
	readonly #waiting: { method: string; resolve(params: unknown): void }[] = [];

	static connect(url: string, answers: Record<string, Answer>): Promise<ScriptedEndpoint> {
		return new Promise((resolve, reject) => {
			const socket = new WebSocket(url, { perMessageDeflate: false });
			// Nobody has to wait for the end of it.
			socket.on("error", () => {});
			const endpoint = new ScriptedEndpoint(socket, answers);
			socket.on("open", () => resolve(endpoint));
			socket.on("error", reject);
		});
	}

	private constructor(socket: WebSocket, answers: Record<string, Answer>) {
		this.#socket = socket;
		this.closed = new Promise((resolve) => socket.on("close", resolve));
		socket.on("message", async (data) => {
			const message = JSON.parse(data.toString());
			this.received.push(message);
			for (const waiting of this.#waiting.filter(({ method }) => method === message.method)) {
				this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
				waiting.resolve(message.params);
			}
			const { id, method, params } = message;
			const answer = method === undefined || id === undefined ? undefined : answers[method];
			if (!answer) return;
			try {
				this.send({ jsonrpc: "2.0", id, result: await answer(params ?? {}) });
			} catch (error) {
				this.send({ jsonrpc: "2.0", id, error });
			}
		});
	}

	/** The next message of that method: its params. */
	next(method: string): Promise<unknown> {
		return new Promise((resolve) => this.#waiting.push({ method, resolve }));
	}

	send(message: unknown): void {
		this.#socket.send(typeof message === "string" ? message : JSON.stringify(message));
	}

	/** Ends the connection without a word. */
	breakOff(): void {
		this.#socket.terminate();
	}

	/** Reads nothing any more, as after a power cut. */
	goDeaf(): void {
		this.#socket.pause();
	}

	close(): void {
		this.#socket.terminate();
	}
}
