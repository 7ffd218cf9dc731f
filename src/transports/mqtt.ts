// The MQTT transport, on Moddable's own MQTT client: one topic out, one topic in (MQTT 3.1.1, QoS 0).

import { concatBytes } from "../base/bytes.js";
import { Heartbeat } from "../base/heartbeat.js";
import type { ServerAddress } from "../net/address.js";
import { checkTopic } from "../net/mqtt-topic.js";
import { NameLookup } from "../net/name-lookup.js";
import type { OutboundMessage } from "../net/outbound-message.js";
import { SafeSocket, type SafeSocketOptions, socketOptions } from "../net/safe-socket.js";
import MqttClient, { type Mqtt } from "../sdk/mqtt-client.js";
import type { TlsSettings } from "../tls/settings.js";
import { Connection, type ConnectionOptions, InboundMessage } from "./connection.js";
import { PacketFilter } from "./mqtt-packets.js";
import type { Connect, TransportCallbacks } from "./transport.js";

/** The broker is told to expect something within this time; it drops the connection after one and a half times as long. */
export const MQTT_KEEPALIVE_S = 240;
/** A broker that was silent for one such interval is pinged; one that stays silent for the next is given up. */
export const MQTT_HEARTBEAT_MS = 30_000;
/** Client id, user name and password are no longer than this. */
export const MAX_CREDENTIAL_CHARACTERS = 4096;

/** For a smaller piece, unless it is the last, wait for more room. */
const MIN_PIECE_BYTES = 128;

export interface MqttOptions extends ConnectionOptions {
	/** Where the broker is. */
	readonly address: ServerAddress;
	readonly clientId: string;
	readonly username?: string | undefined;
	readonly password?: string | undefined;
	/** Where messages go. */
	readonly publishTopic: string;
	/** Where messages come from; absent for a broker that needs no subscription. */
	readonly subscribeTopic?: string | undefined;
	/** In seconds; `MQTT_KEEPALIVE_S` where it is not given, 0 for none. */
	readonly keepaliveS?: number | undefined;
	/** Needed for TLS. */
	readonly tls?: TlsSettings | undefined;
}

/** Stages of a connection to a broker. */
const WAITING_FOR_BROKER = "waiting for the broker's answer";
const WAITING_FOR_SUBSCRIPTION = "waiting for the subscription";

const SUBSCRIBE = 8;
const SUBACK = 9;
const PINGREQ = 12;
const DISCONNECT = 14;

/**
 * A transport over an MQTT broker.
 *
 * It opens when the broker has confirmed the subscription, or with the first message if that comes earlier. It never
 * unsubscribes: some gateways end the connection then. Messages over `MAX_INBOUND_BYTES` are dropped with a line in the
 * log, empty ones without; one over `MAX_PASSED_OVER_BYTES` ends the connection.
 * @throws TypeError or RangeError at once for settings that can never work.
 */
export function createMqttTransport(options: MqttOptions): Connect {
	if (options.address.secure && !options.tls) throw new TypeError("an MQTT broker on port 8883 needs TLS, which this build was not given");
	checkTopic(options.publishTopic, "publish topic");
	if (options.subscribeTopic !== undefined) checkTopic(options.subscribeTopic, "subscribe topic");
	checkCredential(options.clientId, "client id");
	if (options.username !== undefined) checkCredential(options.username, "user name");
	if (options.password !== undefined) {
		checkCredential(options.password, "password");
		if (!options.username) throw new TypeError("an MQTT password needs a user name");
	}
	const { keepaliveS = MQTT_KEEPALIVE_S } = options;
	if (!(Number.isInteger(keepaliveS) && keepaliveS >= 0 && keepaliveS <= 65535))
		throw new RangeError("the keepalive must be 0 to 65535 whole seconds");
	return (callbacks) => new MqttTransport(options, callbacks);
}

class MqttTransport extends Connection {
	readonly #options: MqttOptions;
	#client: Mqtt | undefined;
	#inbound = new InboundMessage();
	#subscribing = false;
	readonly #heartbeat: Heartbeat;
	#pingDue = false;

	constructor(options: MqttOptions, callbacks: TransportCallbacks) {
		super(options.address, callbacks, options);
		this.#options = options;
		// Not this connection itself: a session would take its `ping` for one of its own.
		this.#heartbeat = new Heartbeat(
			{
				ping: () => {
					this.#pingDue = true;
					this.pump();
				},
				onSilent: () => this.end(`no packet from the broker for ${(2 * MQTT_HEARTBEAT_MS) / 1000} s`),
			},
			options.timers,
			MQTT_HEARTBEAT_MS,
		);
		this.begin();
	}

	protected open(): void {
		const { address, clientId, username, password, subscribeTopic, keepaliveS = MQTT_KEEPALIVE_S, tls } = this.#options;
		const { host, port, secure } = address;
		const { connection } = this;
		this.#client = new MqttClient({
			host,
			port,
			id: clientId,
			user: username || undefined,
			password: password || undefined,
			clean: true,
			keepalive: keepaliveS * 1000,
			dns: { io: NameLookup, connection },
			socket: {
				io: MqttSocket,
				...socketOptions(connection, secure ? tls : undefined),
				log: (line: string) => this.log(line),
				topic: subscribeTopic,
				onTraffic: () => {
					this.#heartbeat.alive = true;
				},
			},
			onReadable: (count, { more }) => this.readable(count, more),
			onWritable: (count) => this.handleWritable(count),
			onControl: ({ operation, payload }) => {
				if (operation === SUBACK) this.subscribed(payload?.[0] ?? 0);
			},
			onError: () => this.finish(undefined),
		});
	}

	protected override opened(): void {
		if (this.state !== "connecting") return;
		this.connection.stage = "open";
		this.#heartbeat.start();
		super.opened();
	}

	protected writePiece(message: OutboundMessage): number | undefined {
		const { left, sent } = message;
		// The message's header goes with its first piece; the client itself keeps eight bytes more than it tells.
		const room = sent === 0 ? this.writable - this.#options.publishTopic.length * 3 : this.writable;
		const count = Math.min(left, room, message.pieceBytes);
		if (!this.#client || (count < left && count < MIN_PIECE_BYTES)) return undefined;
		this.writable = this.#client.write(
			message.next(count),
			sent === 0 ? { topic: this.#options.publishTopic, byteLength: message.byteLength } : undefined,
		);
		return count;
	}

	/** The broker responds by ending the connection. */
	protected sendClose(): boolean {
		return this.#write(DISCONNECT);
	}

	protected override drained(): void {
		if (this.#pingDue && this.#write(PINGREQ)) this.#pingDue = false;
	}

	protected release(): void {
		this.#heartbeat.stop();
		const client = this.#client;
		this.#client = undefined;
		client?.close();
	}

	protected override lostReason(): string {
		switch (this.connection.stage) {
			case WAITING_FOR_BROKER:
				return "the broker ended the connection without an answer";
			case WAITING_FOR_SUBSCRIPTION:
				return "the broker ended the connection instead of confirming the subscription";
			default:
				return super.lostReason();
		}
	}

	/** The first room that the client reports means that the broker has accepted the connection. */
	private handleWritable(count: number): void {
		const topic = this.#options.subscribeTopic;
		if (this.state !== "connecting" || topic === undefined) {
			this.takeWritable(count);
			return;
		}
		this.writable = count;
		if (this.#subscribing) return;
		this.#subscribing = true;
		this.connection.stage = WAITING_FOR_SUBSCRIPTION;
		this.writable = this.#client?.write(null, { operation: SUBSCRIBE, items: [{ topic, QoS: 0 }] }) ?? 0;
	}

	private subscribed(code: number): void {
		if (code >= 0x80) this.end(`the broker refused the subscription to ${this.#options.subscribeTopic}`);
		else if (this.state === "connecting") this.takeWritable(this.writable);
	}

	/** Everything is read at once, so that the client goes on with the next packet in the same turn. */
	private readable(count: number, more: boolean): void {
		const data = this.#client?.read(count);
		// Some gateways send before they confirm anything.
		if (this.state === "connecting") this.opened();
		if (this.state !== "open") return;
		if (data) this.#inbound.add(new Uint8Array(data), !more, this.connection.due);
		if (!more) this.arrived(this.#inbound);
	}

	#write(operation: number): boolean {
		if (!this.#client) return false;
		this.writable = this.#client.write(null, { operation });
		return true;
	}
}

interface MqttSocketOptions extends SafeSocketOptions {
	log(line: string): void;
	topic: string | undefined;
	/** A packet is complete. One that merely goes on arriving is no sign of life: it may do so for hours. */
	onTraffic(): void;
}

/** Looks to the SDK's client like a TCP socket, and passes on only packets that the client can handle. */
class MqttSocket extends SafeSocket {
	readonly #filter: PacketFilter;
	readonly #onTraffic: () => void;
	#pieces: Uint8Array[] = [];

	constructor(options: MqttSocketOptions) {
		super(options);
		this.#filter = new PacketFilter(options.log, options.topic);
		this.#onTraffic = options.onTraffic;
	}

	/** The client writes a packet in many small pieces, all but the last with `more`; it goes out in one. */
	override write(data: Uint8Array | ArrayBuffer, options?: { more?: boolean }): number {
		const piece = data instanceof Uint8Array ? data : new Uint8Array(data);
		if (this.connection.stage === "connecting" || this.connection.stage === "waiting for TLS") this.connection.stage = WAITING_FOR_BROKER;
		if (options?.more) {
			this.#pieces.push(piece);
			return 0;
		}
		if (this.#pieces.length === 0) return this.send(piece);
		const packet = concatBytes(...this.#pieces, piece);
		this.#pieces = [];
		return this.send(packet);
	}

	protected override take(chunk: Uint8Array): string | undefined {
		const { packets } = this.#filter;
		const problem = this.#filter.take(chunk, this.received);
		this.connection.due = this.#filter.left;
		if (this.#filter.packets !== packets) this.#onTraffic();
		return problem;
	}
}

function checkCredential(value: unknown, what: string): void {
	if (typeof value !== "string" || value.length > MAX_CREDENTIAL_CHARACTERS)
		throw new TypeError(`the MQTT ${what} must be a string of at most ${MAX_CREDENTIAL_CHARACTERS} characters`);
}
