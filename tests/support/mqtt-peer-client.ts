// A backend behind a broker: an MQTT client of its own that plays the server's part for one device.

import { connect as connectTcp, type Socket } from "node:net";
import mqttPacket from "mqtt-packet";
import type { Message } from "./test-backend.js";

/** The backend of one device, connected to any MQTT 3.1.1 broker. */
export class MqttBackend {
	/** Every message of the device so far, parsed. */
	readonly messages: Message[] = [];
	readonly #socket: Socket;
	readonly #toDevice: string;
	#unread: Message[] = [];
	#waiting: { matches: (message: Message) => boolean; resolve: (message: Message) => void }[] = [];
	#lastId = 1000;

	/** Settles when the broker has confirmed the subscription. */
	static connect(
		port: number,
		topics: { fromDevice: string; toDevice: string },
		credentials: { username?: string; password?: string } = {},
	): Promise<MqttBackend> {
		return new Promise((resolve, reject) => {
			const socket = connectTcp(port, "127.0.0.1");
			const parser = mqttPacket.parser();
			const backend = new MqttBackend(socket, topics.toDevice);
			const { username, password } = credentials;
			socket.once("error", reject);
			socket.on("connect", () =>
				socket.write(
					mqttPacket.generate({
						cmd: "connect",
						protocolId: "MQTT",
						protocolVersion: 4,
						clientId: `backend-${port}-${topics.toDevice}`,
						clean: true,
						keepalive: 60,
						...(username === undefined ? {} : { username, password: Buffer.from(password ?? "") }),
					}),
				),
			);
			socket.on("data", (data) => parser.parse(data));
			parser.on("packet", (packet) => {
				if (packet.cmd === "connack") {
					if (packet.returnCode !== 0) return reject(new Error(`the broker refused the backend: ${packet.returnCode}`));
					socket.write(mqttPacket.generate({ cmd: "subscribe", messageId: 1, subscriptions: [{ topic: topics.fromDevice, qos: 0 }] }));
				} else if (packet.cmd === "suback") resolve(backend);
				else if (packet.cmd === "publish") backend.#received(JSON.parse(packet.payload.toString()));
			});
		});
	}

	private constructor(socket: Socket, toDevice: string) {
		this.#socket = socket;
		this.#toDevice = toDevice;
	}

	/** The next message that matches, also one of the past that nobody has taken. */
	next(matches: (message: Message) => boolean): Promise<Message> {
		const past = this.#unread.findIndex(matches);
		if (past >= 0) return Promise.resolve(this.#unread.splice(past, 1)[0]);
		return new Promise((resolve) => this.#waiting.push({ matches, resolve }));
	}

	/** Takes the device's next hello and answers it. */
	async hello(sessionId: unknown = "session-1"): Promise<Message> {
		const hello = await this.next(({ type }) => type === "hello");
		this.send({
			type: "hello",
			version: 3,
			transport: "udp",
			session_id: sessionId,
			udp: { server: "127.0.0.1", port: 8884, key: "00", nonce: "00" },
		});
		return hello;
	}

	/** Sends a request in the envelope and takes the payload of the reply. */
	async ask(method: string, params?: unknown, id: number | string = ++this.#lastId): Promise<Message> {
		this.send({ type: "mcp", session_id: "session-1", payload: { jsonrpc: "2.0", id, method, params } });
		return (await this.next(({ type, payload }) => type === "mcp" && payload.id === id)).payload;
	}

	send(message: unknown): void {
		this.#socket.write(
			mqttPacket.generate({ cmd: "publish", topic: this.#toDevice, payload: JSON.stringify(message), qos: 0, dup: false, retain: false }),
		);
	}

	close(): void {
		this.#socket.destroy();
	}

	#received(message: Message): void {
		this.messages.push(message);
		const at = this.#waiting.findIndex(({ matches }) => matches(message));
		if (at < 0) this.#unread.push(message);
		else this.#waiting.splice(at, 1)[0]?.resolve(message);
	}
}
