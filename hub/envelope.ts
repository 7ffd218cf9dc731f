// A device that speaks the xiaozhi envelope over a WebSocket (seeds 000, 002, 004): its hello, its MCP session, and what it says.

import { DeviceSession } from "./device-session.js";
import { DeviceTransport } from "./device-transport.js";
import { parseObject } from "./json.js";
import { randomUuid } from "./uuid.js";

/** A device that has not said hello after this long is let go. */
export const HELLO_TIMEOUT_MS = 10_000;
/** Some gateways close the connection past this size, so a longer message in an envelope is reported as a problem. */
export const MAX_MESSAGE_BYTES = 8192;
/** A session of a revision with rich results may have pictures in them. */
const MAX_RICH_MESSAGE_BYTES = 66_560;

/** Who connects, read from the headers of the upgrade. */
export interface DeviceIdentity {
	/** `aa:bb:cc:dd:ee:ff`, lower case. */
	deviceId: string;
	/** The UUID that the device made for itself. */
	clientId: string;
}

export interface EnvelopeListener {
	/** A device said hello (its text, as it came) and was answered (`reply`). */
	onHello?(hello: string, reply: string, device: DeviceIdentity): void;
	/** A device is there and waits to be discovered; `Devices.add` does that. */
	onSession?(session: DeviceSession): void;
	/** Answers what a device says; it may call the device's tools meanwhile. */
	assistant?(text: string, session: DeviceSession): string | Promise<string>;
}

export interface EnvelopeOptions {
	device: DeviceIdentity;
	listener: EnvelopeListener;
	/** Sends a text message, unless the connection is over. */
	write(text: string): void;
	/** Ends the connection, with a reason where the device is at fault. */
	hangUp(fault?: string): void;
	/** The device did something that the protocol does not allow. */
	onProblem(problem: string): void;
	/** `HELLO_TIMEOUT_MS` where it is not given. */
	helloTimeoutMs?: number | undefined;
}

/** One connection; whoever owns the WebSocket tells what comes and when it is over. */
export class EnvelopeConnection {
	readonly #options: EnvelopeOptions;
	readonly #helloTimer: ReturnType<typeof setTimeout>;
	#session: DeviceSession | undefined;
	#transport: DeviceTransport | undefined;
	#over = false;

	constructor(options: EnvelopeOptions) {
		this.#options = options;
		const { helloTimeoutMs = HELLO_TIMEOUT_MS, onProblem, hangUp } = options;
		this.#helloTimer = setTimeout(() => {
			onProblem(`no hello within ${helloTimeoutMs / 1000} s`);
			hangUp("no hello");
		}, helloTimeoutMs);
	}

	/** Takes a text message. Never throws. */
	receive(text: string): void {
		const { onProblem, hangUp } = this.#options;
		this.#session?.onWire?.("in", text);
		const size = new TextEncoder().encode(text).length;
		const limit = (this.#session?.protocolVersion ?? "") > "2025" ? MAX_RICH_MESSAGE_BYTES : MAX_MESSAGE_BYTES;
		if (size > limit) onProblem(`a message of ${size} bytes, more than ${limit}`);
		const message = parseObject(text);
		if (!message) onProblem(`a text frame that is not a JSON object: ${text.slice(0, 200)}`);
		else if (message.type === "hello") {
			const wrong = this.#session ? "a second hello" : checkHello(message, 1, "websocket");
			if (wrong) onProblem(wrong);
			else this.#onHello(text);
		} else if (message.type === "listen") {
			if (this.#session && message.state === "detect" && typeof message.text === "string") void this.#answer(this.#session, message.text);
		} else if (message.type === "mcp") {
			if (!this.#session) {
				onProblem("an mcp message before hello");
				hangUp("hello first");
			} else {
				if (message.session_id !== this.#session.id) onProblem(`an mcp message with session_id ${JSON.stringify(message.session_id)}`);
				this.#transport?.receive(message.payload);
			}
		}
	}

	/** The connection is over. */
	closed(reason: string): void {
		this.#over = true;
		clearTimeout(this.#helloTimer);
		this.#session?.close(reason);
	}

	#onHello(text: string): void {
		const { device, listener, write, hangUp, onProblem } = this.#options;
		clearTimeout(this.#helloTimer);
		const id = randomUuid();
		const send = (message: string) => {
			session.onWire?.("out", message);
			write(message);
		};
		this.#transport = new DeviceTransport({ sessionId: id, write: send });
		const session = new DeviceSession({ id, ...device, via: "websocket", transport: this.#transport, hangUp: () => hangUp(), onProblem });
		this.#session = session;
		const reply = JSON.stringify({ type: "hello", transport: "websocket", session_id: id });
		write(reply);
		listener.onHello?.(text, reply, device);
		listener.onSession?.(session);
		session.onWire?.("in", text);
		session.onWire?.("out", reply);
	}

	/** What a device says goes to the assistant, and comes back as the voice backends send it. */
	async #answer(session: DeviceSession, text: string): Promise<void> {
		const { listener, write } = this.#options;
		const send = (message: object) => {
			if (!this.#over) write(JSON.stringify({ session_id: session.id, ...message }));
		};
		send({ type: "stt", text });
		let answer: string;
		try {
			answer = (await listener.assistant?.(text, session)) ?? "There is no model behind this backend.";
		} catch (error) {
			answer = `It did not work: ${error instanceof Error ? error.message : String(error)}`;
		}
		send({ type: "llm", emotion: "neutral" });
		send({ type: "tts", state: "start" });
		send({ type: "tts", state: "sentence_start", text: answer });
		send({ type: "tts", state: "stop" });
	}
}

/** What is wrong with a device's hello, or undefined. */
export function checkHello(hello: Record<string, unknown>, version: number, transport: string): string | undefined {
	const { features } = hello;
	if (hello.version !== version) return `hello has version ${JSON.stringify(hello.version)}, expected ${version}`;
	if (hello.transport !== transport) return `hello has transport ${JSON.stringify(hello.transport)}, expected "${transport}"`;
	if (typeof features !== "object" || features === null || (features as Record<string, unknown>).mcp !== true)
		return "hello does not offer features.mcp";
	return undefined;
}
