// "embedded:network/mqtt/client": behaves as Moddable's ECMA-419 MQTT client does, its oddities included, over any socket class.
import { decodeTextStrictly, encodeText } from "./frame.js";
import Timer from "./timer.js";

type ByteBuffer = ArrayBufferLike | ArrayBufferView;

interface Socket {
	format: string;
	read(count?: number | ByteBuffer): number | ArrayBuffer | undefined;
	write(data: ByteBuffer, options?: { more?: boolean; byteLength?: number }): number;
	close(): void;
}

interface Resolver {
	resolve(query: { host: string; onResolved(host: string, address: string): void; onError(host: string): void }): void;
}

/** What comes beside messages. */
export interface ControlMessage {
	operation: number;
	id?: number;
	returnCode?: number;
	/** The codes of a SUBACK. */
	payload?: number[];
}

/** What a piece of a message is; all but `more` only with its first piece. */
export interface MessagePiece {
	more: boolean;
	topic?: string;
	byteLength?: number;
	QoS?: number;
}

/** What a connection is opened with. The callbacks see the client as `this`. */
export interface MqttClientOptions {
	host: string;
	port?: number;
	id?: string;
	user?: string;
	password?: string | ArrayBuffer;
	clean?: boolean;
	/** In milliseconds. */
	keepalive?: number;
	dns: { io: new (options: never) => Resolver; [name: string]: unknown };
	socket: { io: new (options: never) => Socket; [name: string]: unknown };
	format?: string;
	target?: unknown;
	onReadable?: (this: MqttClient, count: number, piece: MessagePiece) => void;
	onWritable?: (this: MqttClient, count: number) => void;
	onControl?: (this: MqttClient, message: ControlMessage) => void;
	onError?: (this: MqttClient) => void;
}

/** What is written: a message, or a packet of another kind by `operation`. */
export interface MqttWriteOptions {
	operation?: number;
	id?: number;
	topic?: string;
	/** Of the whole message, where more pieces follow. */
	byteLength?: number;
	QoS?: number;
	retain?: boolean;
	items?: readonly { topic: string; QoS?: number }[];
}

/** A packet on its way in, read byte by byte. */
interface Incoming {
	header: number[];
	length: number;
	/** What has come of the body, without a message's content. */
	body: number[];
	/** Of a message: how much of its content is still to come; undefined until its topic is known. */
	content: number | undefined;
	topic: string | undefined;
}

// What the client keeps for the headers of its packets.
const RESERVED_BYTES = 8;
const CONNECT_LIMIT_MS = 30_000;
const PROTOCOL = [0, 4, 0x4d, 0x51, 0x54, 0x54, 4];

class MqttClient {
	static readonly CONNECT = 1;
	static readonly CONNACK = 2;
	static readonly PUBLISH = 3;
	static readonly PUBACK = 4;
	static readonly PUBREC = 5;
	static readonly PUBREL = 6;
	static readonly PUBCOMP = 7;
	static readonly SUBSCRIBE = 8;
	static readonly SUBACK = 9;
	static readonly UNSUBSCRIBE = 10;
	static readonly UNSUBACK = 11;
	static readonly PINGREQ = 12;
	static readonly PINGRESP = 13;
	static readonly DISCONNECT = 14;

	target?: unknown;
	#options: MqttClientOptions | undefined;
	#state: "resolving" | "connecting" | "login" | "connected" | "publishing" | "closed" = "resolving";
	#socket: Socket | undefined;
	#writable = 0;
	/** How much of the message that is being written is still to come. */
	#remaining = 0;
	/** How many bytes the running onReadable may still read. */
	#readable = 0;
	#incoming: Incoming = newIncoming();
	#lastId = 1;
	/** Acknowledgements and pings that wait for room. */
	#pending: { packet: number[]; ping: boolean }[] = [];
	#flushing: Timer | undefined;
	#connecting: Timer | undefined;
	#keepalive: Timer | undefined;
	#sinceWrite = 0;
	#sinceRead = 0;

	constructor(options: MqttClientOptions) {
		if (!options.host) throw new Error("host required");
		if (options.format !== undefined) this.format = options.format;
		if (options.target !== undefined) this.target = options.target;
		this.#options = { ...options };
		const dns = new options.dns.io(options.dns as never);
		dns.resolve({
			host: options.host,
			// As with Moddable's, `close` does not stop a name from being resolved, nor the connection that follows.
			onResolved: (host, address) => {
				try {
					this.#state = "connecting";
					this.#socket = new options.socket.io({
						...options.socket,
						address,
						host,
						port: options.port ?? 1883,
						onReadable: (count: number) => this.#socketReadable(count),
						onWritable: (count: number) => this.#socketWritable(count),
						onError: () => this.#fail(),
					} as never);
					this.#connecting = Timer.set(() => {
						this.#connecting = undefined;
						this.#fail();
					}, CONNECT_LIMIT_MS);
				} catch {
					this.#fail();
				}
			},
			onError: () => this.#fail(),
		});
	}

	get format(): string {
		return "buffer";
	}

	set format(format: string) {
		if (format !== "buffer") throw new RangeError("only buffers");
	}

	/** Reads from the piece that onReadable announces. @returns undefined when nothing is left */
	read(count: number | ByteBuffer = this.#readable): number | ArrayBuffer | undefined {
		if (!this.#readable || !this.#socket) return undefined;
		const wanted = Math.min(typeof count === "number" ? count : count.byteLength, this.#readable);
		this.#readable -= wanted;
		this.#socket.format = "buffer";
		if (typeof count === "number") return this.#socket.read(wanted);
		const target = ArrayBuffer.isView(count) ? new Uint8Array(count.buffer, count.byteOffset, wanted) : new Uint8Array(count, 0, wanted);
		return this.#socket.read(target);
	}

	/**
	 * Writes a packet, or with `byteLength` the beginning of a message whose rest follows without options.
	 * @returns how many bytes may be written next
	 * @throws Error where there is less room, before the broker has accepted, and for the rest of no message
	 */
	write(data: ByteBuffer | null, options?: MqttWriteOptions): number {
		const socket = this.#socket as Socket;
		socket.format = "buffer";
		if (this.#state !== "connected") {
			const length = data?.byteLength ?? 0;
			if (this.#state !== "publishing" || options || length > this.#remaining) throw new Error("nothing can be written now");
			this.#writable = socket.write(data as ByteBuffer);
			this.#remaining -= length;
			if (this.#remaining === 0) this.#state = "connected";
			return this.#room();
		}
		if (!options) throw new TypeError("options are missing");
		const { operation = MqttClient.PUBLISH, id = ++this.#lastId } = options;
		switch (operation) {
			case MqttClient.PUBLISH:
				this.#publish(data as ByteBuffer, options, id);
				break;
			case MqttClient.SUBSCRIBE:
			case MqttClient.UNSUBSCRIBE: {
				const body: Uint8Array[] = [Uint8Array.of(id >> 8, id & 0xff)];
				for (const { topic, QoS = 0 } of options.items ?? []) {
					body.push(text(topic));
					if (operation === MqttClient.SUBSCRIBE) body.push(Uint8Array.of(QoS & 3));
				}
				this.#send(packetOf((operation << 4) | 2, join(body)));
				break;
			}
			case MqttClient.PUBACK:
			case MqttClient.PUBREC:
			case MqttClient.PUBREL:
			case MqttClient.PUBCOMP:
				this.#send([(operation << 4) | (operation === MqttClient.PUBREL ? 2 : 0), 2, id >> 8, id & 0xff]);
				break;
			case MqttClient.PINGREQ:
				this.#sinceWrite = 0;
				this.#send([operation << 4, 0]);
				break;
			case MqttClient.DISCONNECT:
				this.#send([operation << 4, 0]);
				break;
			default:
				throw new Error("unknown operation");
		}
		return this.#room();
	}

	/** Drops the connection without telling the broker; no callback follows. */
	close(): void {
		this.#state = "closed";
		for (const timer of [this.#flushing, this.#connecting, this.#keepalive]) Timer.clear(timer);
		this.#flushing = this.#connecting = this.#keepalive = undefined;
		this.#socket?.close();
		this.#socket = undefined;
		this.#options = undefined;
		this.#writable = 0;
		this.#readable = 0;
		this.#pending = [];
	}

	#publish(data: ByteBuffer, { topic = "", byteLength = data.byteLength, QoS = 0, retain = false }: MqttWriteOptions, id: number): void {
		if (data.byteLength > byteLength) throw new Error("longer than it said");
		const head = join(QoS ? [text(topic), Uint8Array.of(id >> 8, id & 0xff)] : [text(topic)]);
		const first = (MqttClient.PUBLISH << 4) | (QoS << 1) | (retain ? 1 : 0);
		const header = join([Uint8Array.of(first, ...lengthOf(head.length + byteLength)), head]);
		const socket = this.#socket as Socket;
		if (header.length + data.byteLength > this.#writable) throw new Error("overflow");
		// Moddable's writes its packets in pieces, and counts on a socket that puts them together.
		socket.write(header, { more: true, byteLength: header.length + data.byteLength });
		this.#writable = socket.write(data);
		if (data.byteLength === byteLength) return;
		this.#state = "publishing";
		this.#remaining = byteLength - data.byteLength;
	}

	#send(packet: ArrayLike<number>): void {
		if (packet.length > this.#writable) throw new Error("overflow");
		this.#writable = (this.#socket as Socket).write(Uint8Array.from(packet));
	}

	#room(): number {
		return Math.max(0, this.#writable - RESERVED_BYTES);
	}

	#fail(): void {
		this.#options?.onError?.call(this);
		this.close();
	}

	#socketWritable(count: number): void {
		this.#writable = count;
		if (this.#state === "connecting") this.#logIn();
		else if (this.#state === "connected" || this.#state === "publishing") {
			if (this.#state === "connected")
				for (let next = this.#pending[0]; next; next = this.#pending[0]) {
					if (this.#writable < next.packet.length) return;
					this.#pending.shift();
					if (next.ping) this.#sinceWrite = 0;
					this.#send(next.packet);
				}
			if (this.#room() > 0) this.#options?.onWritable?.call(this, this.#room());
		}
	}

	#logIn(): void {
		const { id = "", user, password, clean = true, keepalive = 0 } = this.#options as MqttClientOptions;
		Timer.clear(this.#connecting);
		this.#connecting = undefined;
		const seconds = Math.ceil(keepalive / 1000);
		const flags = (clean ? 2 : 0) | (user === undefined ? 0 : 0x80) | (password === undefined ? 0 : 0x40);
		const parts: Uint8Array[] = [Uint8Array.of(...PROTOCOL, flags, (seconds >> 8) & 0xff, seconds & 0xff), text(id)];
		if (user !== undefined) parts.push(text(user));
		if (password !== undefined) parts.push(text(password));
		const body = join(parts);
		const socket = this.#socket as Socket;
		// It does not look at how much the socket takes.
		socket.write(Uint8Array.of(MqttClient.CONNECT << 4), { more: true });
		socket.write(Uint8Array.from(lengthOf(body.length)), { more: true });
		this.#writable = socket.write(body);
		if (seconds > 0) this.#keepalive = Timer.repeat(() => this.#beat(seconds * 1000), seconds * 250);
		this.#state = "login";
	}

	/** Called four times in each interval. */
	#beat(interval: number): void {
		this.#sinceRead += interval / 4;
		this.#sinceWrite += interval / 4;
		if (this.#sinceRead >= interval * 1.5 || this.#pending.some(({ ping }) => ping)) this.#fail();
		else if (this.#sinceWrite >= interval * 0.75 - 500) this.#queue([MqttClient.PINGREQ << 4, 0], true);
	}

	#queue(packet: number[], ping: boolean): void {
		this.#pending.push({ packet, ping });
		this.#flushing ??= Timer.set(() => {
			this.#flushing = undefined;
			this.#socketWritable(this.#writable);
		});
	}

	#socketReadable(count: number): void {
		let left = count;
		while (left > 0 && this.#socket) left -= this.#takeSome(left);
	}

	/** Takes some of the `count` bytes that are there. @returns how many */
	#takeSome(count: number): number {
		const incoming = this.#incoming;
		if (incoming.content) return this.#takeContent(incoming, Math.min(count, incoming.content));
		const socket = this.#socket as Socket;
		socket.format = "number";
		const byte = socket.read() as number;
		const { header, body } = incoming;
		const headerWhole = header.length > 1 && ((header.at(-1) as number) & 0x80) === 0;
		if (!headerWhole) {
			header.push(byte);
			if (header.length > 5) this.#fail();
			else if (header.length > 1 && (byte & 0x80) === 0) {
				incoming.length = header.slice(1).reduce((sum, part, i) => sum + (part & 0x7f) * 128 ** i, 0);
				if (incoming.length === 0) this.#taken(incoming);
			}
			return 1;
		}
		body.push(byte);
		const first = header[0] as number;
		if (first >> 4 !== MqttClient.PUBLISH) {
			if (body.length === incoming.length) this.#taken(incoming);
			return 1;
		}
		const topicLength = body.length < 2 ? 0 : ((body[0] as number) << 8) | (body[1] as number);
		const headLength = 2 + topicLength + (first & 6 ? 2 : 0);
		if (body.length < 2 || body.length < headLength) return 1;
		incoming.topic = decodeTextStrictly(Uint8Array.from(body.slice(2, 2 + topicLength)));
		incoming.content = incoming.length - headLength;
		// Moddable's never gets over a message without content.
		if (incoming.content === 0) throw new Error("a message without content");
		return 1;
	}

	#takeContent(incoming: Incoming, count: number): number {
		const QoS = ((incoming.header[0] as number) >> 1) & 3;
		const piece: MessagePiece = { more: (incoming.content as number) > count };
		if (incoming.topic !== undefined) {
			piece.topic = incoming.topic;
			piece.byteLength = incoming.content as number;
			piece.QoS = QoS;
			incoming.topic = undefined;
		}
		incoming.content = (incoming.content as number) - count;
		if (!piece.more) {
			this.#incoming = newIncoming();
			if (QoS) this.#queue([(QoS === 1 ? MqttClient.PUBACK : MqttClient.PUBREC) << 4, 2, ...incoming.body.slice(-2)], false);
		}
		this.#readable = count;
		this.#options?.onReadable?.call(this, count, piece);
		if (this.#socket && this.#readable) throw new Error(`onReadable left ${this.#readable} of ${count} bytes unread`);
		return count;
	}

	#taken({ header, body }: Incoming): void {
		this.#incoming = newIncoming();
		const operation = (header[0] as number) >> 4;
		const message: ControlMessage = { operation };
		const id = ((body[0] as number) << 8) | (body[1] as number);
		if (operation === MqttClient.CONNACK) {
			message.returnCode = body[1] as number;
			// The reason is not told.
			if (message.returnCode) return this.#fail();
			this.#state = "connected";
		} else if (operation === MqttClient.PINGRESP) this.#sinceRead = 0;
		else message.id = id;
		if (operation === MqttClient.SUBACK) message.payload = body.slice(2);
		if (operation === MqttClient.PUBREC) this.#queue([(MqttClient.PUBREL << 4) | 2, 2, id >> 8, id & 0xff], false);
		if (operation === MqttClient.PUBREL) this.#queue([MqttClient.PUBCOMP << 4, 2, id >> 8, id & 0xff], false);
		this.#options?.onControl?.call(this, message);
		if (operation === MqttClient.CONNACK && this.#room() > 0) this.#options?.onWritable?.call(this, this.#room());
	}
}

function newIncoming(): Incoming {
	return { header: [], length: 0, body: [], content: undefined, topic: undefined };
}

/** A text or bytes with their length before them. */
function text(value: string | ArrayBuffer): Uint8Array {
	const bytes = typeof value === "string" ? encodeText(value) : new Uint8Array(value);
	return join([Uint8Array.of(bytes.length >> 8, bytes.length & 0xff), bytes]);
}

function packetOf(first: number, body: Uint8Array): Uint8Array {
	return join([Uint8Array.of(first, ...lengthOf(body.length)), body]);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
	const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
	let at = 0;
	for (const part of parts) {
		bytes.set(part, at);
		at += part.length;
	}
	return bytes;
}

/** A packet's remaining length in its one to four bytes. */
function lengthOf(length: number): number[] {
	const bytes: number[] = [];
	let left = length;
	do {
		const part = left % 128;
		left = Math.floor(left / 128);
		bytes.push(left > 0 ? part | 0x80 : part);
	} while (left > 0);
	return bytes;
}

export default MqttClient;
