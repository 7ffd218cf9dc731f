// The good servers of a device, one of each kind, all of them asked in the same way.

import { expect } from "@jest/globals";
import { ACCOUNT, startAedes } from "../support/brokers.js";
import { ConfigurationServer } from "../support/configuration-server.js";
import { type FramedClient, FramedService } from "../support/framed-service.js";
import { MqttBackend } from "../support/mqtt-peer-client.js";
import { type BackendConnection, type Message, TestBackend } from "../support/test-backend.js";
import { IMAGE, SECRET } from "./faults.js";
import { type Column, TOPICS } from "./peer.js";

/** A good server. */
export interface Service {
	readonly port: number;
	/** Settles when the device is ready with it, or has got what it asked for. */
	greet(): Promise<void>;
	/** Calls a tool of the device and looks at the result. */
	call(): Promise<void>;
	close(): Promise<void>;
}

export const TOKENS = { session: `${SECRET}-session`, framed: `${SECRET}-framed` };

const TOOL = "self.audio_speaker.set_volume";
let volume = 0;
const someVolume = () => ({ volume: ++volume % 101 });

export interface SessionService extends Service {
	/** Calls any tool. Gives the text of its result, or rejects with the error's words. */
	callTool(name: string, args: unknown): Promise<string>;
}

async function createSession(): Promise<SessionService> {
	const backend = await TestBackend.listen();
	let connection: BackendConnection | undefined;
	let last: Promise<unknown> = Promise.resolve();
	// One call after the other: the connection drops the replies to other calls than the one that waits.
	const callTool = (name: string, args: unknown) => {
		const result = last.then(() => (connection as BackendConnection).call(name, args));
		last = result.catch(() => {});
		return result;
	};
	return {
		port: backend.port,
		async greet() {
			connection = await backend.session();
			expect(connection.request.headers.authorization).toBe(`Bearer ${TOKENS.session}`);
		},
		callTool,
		call: async () => expect(await callTool(TOOL, someVolume())).toBe("true"),
		close: () => backend.close(),
	};
}

async function createEndpoint(): Promise<Service> {
	const backend = await TestBackend.listen();
	let connection: BackendConnection | undefined;
	let last = 0;
	const ask = async (method: string, params?: unknown): Promise<Message> => {
		const id = `call-${++last}`;
		connection?.send({ jsonrpc: "2.0", id, method, params });
		for (;;) {
			const reply = await (connection as BackendConnection).next();
			if (reply.id === id) return reply.result;
		}
	};
	return {
		port: backend.port,
		async greet() {
			connection = await backend.connection();
			expect(await ask("ping")).toEqual({});
		},
		call: async () => expect((await ask("tools/call", { name: TOOL, arguments: someVolume() })).content[0].text).toBe("true"),
		close: () => backend.close(),
	};
}

async function createMqtt(): Promise<Service> {
	const broker = await startAedes();
	const backend = await MqttBackend.connect(broker.port, TOPICS, ACCOUNT);
	return {
		port: broker.port,
		async greet() {
			await backend.hello();
		},
		call: async () => expect((await backend.ask("tools/call", { name: TOOL, arguments: someVolume() })).result.content[0].text).toBe("true"),
		async close() {
			backend.close();
			await broker.close();
		},
	};
}

async function createFramed(): Promise<Service> {
	const service = await FramedService.listen({ token: TOKENS.framed });
	let client: FramedClient | undefined;
	return {
		port: Number(new URL(service.address.replace("tcp:", "http:")).port),
		async greet() {
			client = await service.client();
			await client.registered();
		},
		call: async () => expect(await client?.call(TOOL, someVolume())).toEqual({ success: true, data: true }),
		close: () => service.close(),
	};
}

/** @param answer what it sends, as text or bytes */
async function createWeb(answer: () => string | Buffer): Promise<Service> {
	let asked = () => {};
	const server = await ConfigurationServer.listen((_, response) => {
		const body = Buffer.from(answer());
		response.writeHead(200, { "content-length": body.byteLength }).end(body, () => asked());
	});
	return {
		port: server.port,
		greet: () =>
			new Promise((resolve) => {
				asked = resolve;
			}),
		call: async () => {},
		close: () => server.close(),
	};
}

export type Services = { readonly [column in Column]: Service } & { readonly session: SessionService; readonly spare: Service };

/** Starts one of each, and another endpoint. @param reply the configuration that is given out */
export async function startServices(reply: () => unknown): Promise<Services> {
	const [session, endpoint, spare, mqtt, framed, configuration, firmware] = await Promise.all([
		createSession(),
		createEndpoint(),
		createEndpoint(),
		createMqtt(),
		createFramed(),
		createWeb(() => JSON.stringify(reply())),
		createWeb(() => IMAGE),
	]);
	return { session, endpoint, spare, mqtt, framed, configuration, firmware };
}
