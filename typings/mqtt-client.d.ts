// ECMA-419's MQTT client in Moddable (examples/io/tcp/mqttclient), as far as this project uses it.

declare module "embedded:network/mqtt/client" {
	type Bytes = ArrayBufferLike | ArrayBufferView;

	interface Options {
		host: string;
		port?: number;
		/** The client identifier. */
		id?: string;
		user?: string;
		password?: string;
		/** A clean session; true where it is not given. */
		clean?: boolean;
		/** In milliseconds; 0 for none. */
		keepalive?: number;
		socket: { io: new (options: any) => any };
		dns: { io: new (options: any) => any };
		/** `count` bytes of one message wait; `more` says that the message goes on after them. */
		onReadable?: (this: MQTTClient, count: number, options: { more: boolean; topic?: string; byteLength?: number; QoS?: number }) => void;
		/** `count` bytes may be written now; the first time it means that the broker has accepted. */
		onWritable?: (this: MQTTClient, count: number) => void;
		/** Whatever comes beside messages; `payload` are the codes of a SUBACK. */
		onControl?: (this: MQTTClient, message: { operation: number; id?: number; payload?: number[] }) => void;
		/** The connection is lost, refused or was never made; the reason is not told. */
		onError?: (this: MQTTClient) => void;
	}

	interface WriteOptions {
		/** PUBLISH where it is not given. */
		operation?: number;
		topic?: string;
		/** The length of the whole message, where `data` is only its beginning: the rest is written without options. */
		byteLength?: number;
		QoS?: number;
		items?: readonly { topic: string; QoS?: number }[];
	}

	export default class MQTTClient {
		static readonly PUBLISH: 3;
		static readonly SUBSCRIBE: 8;
		static readonly SUBACK: 9;
		static readonly PINGREQ: 12;
		static readonly DISCONNECT: 14;
		constructor(options: Options);
		read(count?: number): ArrayBuffer | undefined;
		/** Throws when it is longer than the room that is left; returns what is left after it. */
		write(data: Bytes | null, options?: WriteOptions): number;
		close(): void;
	}
}
