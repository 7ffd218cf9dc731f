// Moddable's MQTT client (MQTT 3.1.1).

import Client from "embedded:network/mqtt/client";

/** The class of a part below the client, and what that class is given beside the client's own options. */
export interface MqttPart {
	readonly io: new (options: never) => unknown;
	readonly [option: string]: unknown;
}

export interface MqttClientOptions {
	host: string;
	port: number;
	/** The client identifier. */
	id: string;
	user: string | undefined;
	password: string | undefined;
	/** Ask for a clean session? */
	clean: boolean;
	/** In milliseconds; 0 for none. */
	keepalive: number;
	dns: MqttPart;
	socket: MqttPart;
	/** `count` bytes of one message wait; `more` says that the message goes on after them. */
	onReadable(count: number, options: { more: boolean }): void;
	/** `count` bytes may be written now; the first time it means that the broker has accepted. */
	onWritable(count: number): void;
	/** Whatever comes beside messages; `payload` are the codes of a SUBACK. */
	onControl(message: { operation: number; payload?: readonly number[] }): void;
	/** The connection is lost, refused or was never made; the reason is not told. */
	onError(): void;
}

export interface MqttWriteOptions {
	/** PUBLISH where it is not given. */
	operation?: number;
	topic?: string;
	/** The length of the whole message, where `data` is only its beginning: the rest is written without options. */
	byteLength?: number;
	items?: readonly { topic: string; QoS: number }[];
}

/** As much of the client as is used here. */
export interface Mqtt {
	read(count: number): ArrayBuffer | undefined;
	/** Returns how many bytes may be written next. @throws Error when there is too little room */
	write(data: Uint8Array | null, options?: MqttWriteOptions): number;
	close(): void;
}

const MqttClient = Client as unknown as new (options: MqttClientOptions) => Mqtt;
export default MqttClient;
