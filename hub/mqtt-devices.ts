// Takes devices that speak the xiaozhi envelope through an MQTT broker (MQTT 3.1.1, QoS 0), one pair of topics for each.

import { randomUUID } from "node:crypto";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import mqttPacket, { type Packet } from "mqtt-packet";
import { Backoff } from "../src/base/backoff.js";
import { DeviceSession } from "./device-session.js";
import { DeviceTransport } from "./device-transport.js";
import { checkHello } from "./envelope.js";
import { parseObject } from "./json.js";

/** Where devices publish to, and where they are published to; the `+` is the device's id, in both the same. */
export const DEFAULT_UP = "moddable-mcp/+/up";
export const DEFAULT_DOWN = "moddable-mcp/+/down";

const KEEPALIVE_S = 30;
/** A broker that has not let us in after this long is tried again. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Without a connection of its own, only an unanswered ping shows that a device has gone. */
const PING_MS = 30_000;
const PING_TIMEOUT_MS = 10_000;
const MAX_PACKET_BYTES = 1024 * 1024;
const MAX_SESSIONS = 100;

export interface MqttDevicesOptions {
	/** `mqtt://HOST:PORT` or `mqtts://…`. */
	url: string;
	username?: string | undefined;
	password?: string | undefined;
	/** `DEFAULT_UP` and `DEFAULT_DOWN` where they are not given. */
	up?: string | undefined;
	down?: string | undefined;
	/** For tests; 30 s where it is not given. */
	pingMs?: number;
	/** For tests; 10 s where it is not given. */
	pingTimeoutMs?: number;
	/** A device is there and waits to be discovered; `Devices.add` does that. */
	onSession?(session: DeviceSession): void;
	/** The subscription stands (true), or the connection to the broker is lost, for the reason given. */
	onConnected?(connected: boolean, reason: string): void;
	onProblem?(problem: string): void;
}

interface Conversation {
	session: DeviceSession;
	transport: DeviceTransport;
	ping: NodeJS.Timeout;
}

/** @throws Error unless the topic has exactly one `+` that stands alone between slashes, and no `#` */
export function checkTopic(topic: string): string {
	const levels = topic.split("/");
	if (levels.filter((level) => level === "+").length !== 1 || /[#\0]/.test(topic) || levels.some((level) => level !== "+" && level.includes("+")))
		throw new Error(`the topic must have one "+" in the place of the device's id, got "${topic}"`);
	return topic;
}

/** A connection to a broker that comes back by itself, from its making to `close`. */
export class MqttDevices {
	readonly #options: MqttDevicesOptions;
	readonly #up: string;
	readonly #down: string;
	readonly #conversations = new Map<string, Conversation>();
	readonly #backoff = new Backoff({ minimumMs: 500, maximumMs: 30_000 });
	#socket: Socket | undefined;
	#timer: NodeJS.Timeout | undefined;
	#closed = false;

	/** @throws Error for topics without a place for the device's id */
	constructor(options: MqttDevicesOptions) {
		this.#options = options;
		this.#up = checkTopic(options.up ?? DEFAULT_UP);
		this.#down = checkTopic(options.down ?? DEFAULT_DOWN);
		this.#connect();
	}

	/** Says goodbye to the devices and leaves the broker. May be called twice. */
	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		clearTimeout(this.#timer);
		for (const { session } of [...this.#conversations.values()]) session.close("closed by the hub");
		if (this.#socket && !this.#socket.destroyed) {
			this.#socket.write(mqttPacket.generate({ cmd: "disconnect" }));
			this.#socket.destroySoon();
		}
	}

	#connect(): void {
		const { protocol, hostname, port } = new URL(this.#options.url);
		const isSecure = protocol === "mqtts:";
		const where = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || (isSecure ? 8883 : 1883) };
		const socket = isSecure ? connectTls({ ...where, servername: where.host }) : connectTcp(where);
		this.#socket = socket;
		const parser = mqttPacket.parser({ protocolVersion: 4 });
		let reason = "the broker closed the connection";
		let isUp = false;
		let unparsed = 0;
		const limit = setTimeout(() => fail("the broker does not answer"), CONNECT_TIMEOUT_MS);
		let keepalive: NodeJS.Timeout | undefined;
		let isAwaited = false;
		const fail = (why: string) => {
			reason = why;
			socket.destroy();
		};
		const send = (packet: Packet) => {
			if (!socket.destroyed) socket.write(mqttPacket.generate(packet));
		};
		socket.on(isSecure ? "secureConnect" : "connect", () => {
			const { username, password } = this.#options;
			const account = username === undefined ? {} : { username, ...(password === undefined ? {} : { password: Buffer.from(password) }) };
			const clientId = `moddable-mcp-${randomUUID().slice(0, 8)}`;
			send({ cmd: "connect", protocolId: "MQTT", protocolVersion: 4, clientId, clean: true, keepalive: KEEPALIVE_S, ...account });
		});
		socket.on("error", (error) => {
			reason = error.message || (error as NodeJS.ErrnoException).code || "the connection failed";
		});
		socket.on("data", (data) => {
			unparsed += data.length;
			try {
				parser.parse(data);
			} catch (error) {
				fail(`the broker sent no MQTT: ${(error as Error).message}`);
			}
			if (unparsed > MAX_PACKET_BYTES) fail("the broker sent too long a packet");
		});
		parser.on("error", (error) => fail(`the broker sent no MQTT: ${error.message}`));
		parser.on("packet", (packet) => {
			unparsed = 0;
			if (packet.cmd === "connack") {
				if (packet.returnCode !== 0) fail(`the broker refused the connection: ${REFUSALS[packet.returnCode ?? 0] ?? packet.returnCode}`);
				else send({ cmd: "subscribe", messageId: 1, subscriptions: [{ topic: this.#up, qos: 0 }] });
			} else if (packet.cmd === "suback") {
				if (packet.granted[0] === 128) return fail(`the broker does not allow to subscribe to ${this.#up}`);
				isUp = true;
				clearTimeout(limit);
				this.#backoff.reset();
				keepalive = setInterval(() => {
					if (isAwaited) return fail("the broker does not answer any more");
					isAwaited = true;
					send({ cmd: "pingreq" });
				}, KEEPALIVE_S * 500);
				this.#options.onConnected?.(true, "");
			} else if (packet.cmd === "pingresp") isAwaited = false;
			else if (packet.cmd === "publish") this.#onMessage(packet.topic, packet.payload.toString());
		});
		socket.on("close", () => {
			clearTimeout(limit);
			clearInterval(keepalive);
			for (const { session } of [...this.#conversations.values()]) session.close(`broker: ${reason}`);
			if (this.#closed) return;
			this.#options.onConnected?.(false, reason);
			this.#timer = setTimeout(() => this.#connect(), this.#backoff.next());
			// Whoever was let in and lost again need not wait long.
			if (isUp) this.#backoff.reset();
		});
	}

	#onMessage(topic: string, text: string): void {
		const id = idIn(this.#up, topic);
		if (id === undefined) return;
		const problem = (what: string) => this.#options.onProblem?.(`device ${id}: ${what}`);
		const message = parseObject(text);
		const conversation = this.#conversations.get(id);
		if (!message) problem(`a message that is not a JSON object: ${text.slice(0, 200)}`);
		else if (message.type === "hello") {
			const wrong = checkHello(message, 3, "udp");
			if (wrong) return problem(wrong);
			conversation?.session.close("the device said hello again");
			if (this.#conversations.size >= MAX_SESSIONS) return problem("too many devices");
			this.#begin(id, text, problem);
		} else conversation?.session.onWire?.("in", text);
		if (message?.type === "goodbye") conversation?.session.close("the device said goodbye");
		else if (message?.type === "mcp") conversation?.transport.receive(message.payload);
	}

	#begin(id: string, hello: string, onProblem: (problem: string) => void): void {
		const sessionId = randomUUID();
		const write = (text: string) => {
			this.#publish(id, text);
			session.onWire?.("out", text);
		};
		const transport = new DeviceTransport({ sessionId, write });
		const hangUp = () => {
			const { ping } = this.#conversations.get(id) ?? {};
			clearInterval(ping);
			this.#conversations.delete(id);
			write(JSON.stringify({ type: "goodbye", session_id: sessionId }));
		};
		const session = new DeviceSession({ id: sessionId, deviceId: id, via: "mqtt", transport, hangUp, onProblem });
		const ping = setInterval(() => {
			session.ping(this.#options.pingTimeoutMs ?? PING_TIMEOUT_MS).catch(() => session.close("the device does not answer any more"));
		}, this.#options.pingMs ?? PING_MS).unref();
		this.#conversations.set(id, { session, transport, ping });
		const audio = { format: "opus", sample_rate: 24000, channels: 1, frame_duration: 60 };
		const reply = JSON.stringify({ type: "hello", version: 3, transport: "udp", session_id: sessionId, audio_params: audio });
		this.#publish(id, reply);
		this.#options.onSession?.(session);
		session.onWire?.("in", hello);
		session.onWire?.("out", reply);
	}

	#publish(id: string, payload: string): void {
		if (!this.#socket || this.#socket.destroyed) return;
		const topic = this.#down.replace("+", id);
		this.#socket.write(mqttPacket.generate({ cmd: "publish", topic, payload, qos: 0, dup: false, retain: false }));
	}
}

const REFUSALS: Readonly<Record<number, string>> = { 3: "it is not available", 4: "wrong name or password", 5: "not authorised" };

/** What stands in the topic where the filter has its `+`. */
function idIn(filter: string, topic: string): string | undefined {
	const at = filter.split("/").indexOf("+");
	const id = topic.split("/")[at];
	return id !== undefined && id !== "" && filter.replace("+", id) === topic ? id : undefined;
}
