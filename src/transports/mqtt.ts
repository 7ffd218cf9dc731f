// The MQTT transport, on Moddable's own MQTT client: one topic out, one topic in (MQTT 3.1.1, QoS 0).

import MqttClient from "embedded:network/mqtt/client";
import Timer from "timer";
import type { ServerAddress } from "../net/address.js";
import type { ConnectionState } from "../net/connection-state.js";
import { checkTopic } from "../net/mqtt-topic.js";
import { NameLookup } from "../net/name-lookup.js";
import { SafeSocket, type SafeSocketOptions } from "../net/safe-socket.js";
import { socketBelow, type TlsSettings } from "../tls/record-socket.js";
import { Connection, InboundMessage } from "./connection.js";
import { PacketFilter } from "./mqtt-packets.js";
import type { OutboundMessage } from "./outbound-message.js";
import type { Connect, TransportCallbacks } from "./transport.js";

/** The broker is told to expect something from this side within this time, and forgets it after one and a half of it. */
export const MQTT_KEEPALIVE_S = 240;
/** After this much silence of the broker it is pinged; after half as much again it is given up. */
export const MQTT_SILENCE_MS = 60_000;
/** Client id, user name and password are no longer than this. */
export const MAX_CREDENTIAL_CHARACTERS = 4096;

/** A piece need not be smaller unless it is the last: wait for more room instead. */
const MIN_PIECE_BYTES = 128;

export interface MqttOptions {
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
	/** Takes single lines about what was ignored. Reasons for an end go to `onClose` instead. */
	readonly log?: ((line: string) => void) | undefined;
	/** Needed for TLS. */
	readonly tls?: TlsSettings | undefined;
}

/** As much of the SDK's client as is used here. */
interface Client {
	read(count: number): ArrayBuffer | undefined;
	/** Returns how many bytes may be written next. */
	write(data: Uint8Array | null, options?: WriteOptions): number;
	close(): void;
}

interface WriteOptions {
	operation?: number;
	topic?: string;
	byteLength?: number;
	items?: readonly { topic: string; QoS: number }[];
}

interface ClientOptions {
	host: string;
	port: number;
	id: string;
	user: string | undefined;
	password: string | undefined;
	clean: boolean;
	/** In milliseconds. */
	keepalive: number;
	dns: { io: typeof NameLookup; watch: ConnectionState };
	socket: MqttSocketOptions & { io: typeof MqttSocket };
	onReadable(count: number, options: { more: boolean }): void;
	onWritable(count: number): void;
	onControl(message: { operation: number; payload?: readonly number[] }): void;
	onError(): void;
}

const SdkClient = MqttClient as unknown as new (options: ClientOptions) => Client;
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
	if (options.subscribeTopic !== undefined) checkTopic(options.subscribeTopic, "subscribe topic", true);
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
	#client: Client | undefined;
	#inbound = new InboundMessage();
	#subscribing = false;
	#pulse: ReturnType<typeof Timer.repeat> | undefined;
	/** How many pulses have passed since the broker was heard. */
	#silence = 0;
	#pingDue = false;

	constructor(options: MqttOptions, callbacks: TransportCallbacks) {
		super(options.address, callbacks, options.log);
		this.#options = options;
		this.begin();
	}

	protected open(): void {
		const { address, clientId, username, password, keepaliveS = MQTT_KEEPALIVE_S, tls } = this.#options;
		const { host, port, secure } = address;
		const { watch } = this;
		this.#client = new SdkClient({
			host,
			port,
			id: clientId,
			user: username || undefined,
			password: password || undefined,
			clean: true,
			keepalive: keepaliveS * 1000,
			dns: { io: NameLookup, watch },
			socket: {
				io: MqttSocket,
				...socketBelow(watch, secure ? tls : undefined),
				log: this.log,
				onTraffic: () => {
					this.#silence = 0;
				},
			},
			onReadable: (count, { more }) => this.#readable(count, more),
			onWritable: (count) => this.safely(() => this.#handleWritable(count)),
			onControl: ({ operation, payload }) => {
				if (operation === SUBACK) this.#subscribed(payload?.[0] ?? 0);
			},
			onError: () => this.finish(undefined),
		});
	}

	protected override opened(): void {
		if (this.state !== "connecting") return;
		this.watch.stage = "open";
		this.#pulse ??= Timer.repeat(() => this.safely(() => this.#beat()), MQTT_SILENCE_MS / 2);
		super.opened();
	}

	protected writePiece(message: OutboundMessage): number | undefined {
		const { left, sent } = message;
		// The message's header goes with its first piece; the client itself keeps eight bytes more than it tells.
		const room = sent === 0 ? this.writable - this.#options.publishTopic.length * 3 : this.writable;
		const count = Math.min(left, room, message.pieceBytes);
		if (!this.#client || room <= 0 || (count < left && count < MIN_PIECE_BYTES)) return undefined;
		this.writable = this.#client.write(
			message.next(count),
			sent === 0 ? { topic: this.#options.publishTopic, byteLength: message.byteLength } : undefined,
		);
		return count;
	}

	/** The broker answers by ending the connection. */
	protected sendClose(): boolean {
		return this.#write(DISCONNECT);
	}

	protected override drained(): void {
		if (this.#pingDue && this.#write(PINGREQ)) this.#pingDue = false;
	}

	protected release(): void {
		if (this.#pulse !== undefined) Timer.clear(this.#pulse);
		this.#pulse = undefined;
		const client = this.#client;
		this.#client = undefined;
		this.#inbound.take();
		client?.close();
	}

	/** The first room that the client tells of means that the broker has let this side in. */
	#handleWritable(count: number): void {
		const topic = this.#options.subscribeTopic;
		if (this.state !== "connecting" || topic === undefined) {
			this.takeWritable(count);
			return;
		}
		this.writable = count;
		if (this.#subscribing) return;
		this.#subscribing = true;
		this.watch.stage = "waiting for the subscription";
		this.writable = this.#client?.write(null, { operation: SUBSCRIBE, items: [{ topic, QoS: 0 }] }) ?? 0;
	}

	#subscribed(code: number): void {
		if (code >= 0x80) this.end(`the broker refused the subscription to ${this.#options.subscribeTopic}`);
		else if (this.state === "connecting") this.takeWritable(this.writable);
	}

	/** Everything is read at once, so that the client goes on with the next packet in the same turn. */
	#readable(count: number, more: boolean): void {
		const data = this.#client?.read(count);
		// Some gateways send before they confirm anything.
		if (this.state === "connecting") this.opened();
		if (this.state !== "open") return;
		if (data) this.#inbound.add(new Uint8Array(data), !more);
		if (!more) this.arrived(this.#inbound);
	}

	#beat(): void {
		this.#silence++;
		if (this.#silence === 2) {
			this.#pingDue = true;
			this.pump();
		} else if (this.#silence > 2) this.end(`no packet from the broker for ${(MQTT_SILENCE_MS * 3) / 2000} s`);
	}

	#write(operation: number): boolean {
		if (!this.#client || this.writable < 2) return false;
		this.writable = this.#client.write(null, { operation });
		return true;
	}
}

interface MqttSocketOptions extends SafeSocketOptions {
	log(line: string): void;
	/** A packet has come whole. One that only goes on coming is no sign of life: it may go on like that for hours. */
	onTraffic(): void;
}

/** Looks to the SDK's client like a TCP socket: lets only packets through that the client can bear. */
class MqttSocket extends SafeSocket {
	readonly #filter: PacketFilter;
	readonly #onTraffic: () => void;
	#pieces: Uint8Array[] = [];

	constructor(options: MqttSocketOptions) {
		super(options);
		this.#filter = new PacketFilter(options.log);
		this.#onTraffic = options.onTraffic;
	}

	/** The client writes a packet in many small pieces, all but the last with `more`; it goes out in one. */
	override write(data: Uint8Array | ArrayBuffer, options?: { more?: boolean }): number {
		const piece = data instanceof Uint8Array ? data : new Uint8Array(data);
		if (this.watch.stage === "connecting" || this.watch.stage === "waiting for TLS") this.watch.stage = "waiting for the broker's answer";
		if (options?.more) {
			this.#pieces.push(piece);
			return 0;
		}
		if (this.#pieces.length === 0) return this.send(piece);
		const pieces = [...this.#pieces, piece];
		this.#pieces = [];
		const packet = new Uint8Array(pieces.reduce((bytes, { byteLength }) => bytes + byteLength, 0));
		let at = 0;
		for (const part of pieces) {
			packet.set(part, at);
			at += part.byteLength;
		}
		return this.send(packet);
	}

	protected override take(chunk: Uint8Array): string | undefined {
		const { packets } = this.#filter;
		const problem = this.#filter.take(chunk, this.inbox);
		if (this.#filter.packets !== packets) this.#onTraffic();
		return problem;
	}
}

function checkCredential(value: unknown, what: string): void {
	if (typeof value !== "string" || value.length > MAX_CREDENTIAL_CHARACTERS)
		throw new TypeError(`the MQTT ${what} must be a text of at most ${MAX_CREDENTIAL_CHARACTERS} characters`);
}
