// Moddable's WebSocket client (ECMA-419).

import Client from "embedded:network/websocket/client";

/** The class of a part below the client, and what that class is given beside the client's own options. */
export interface WebSocketPart {
	readonly io: new (options: never) => unknown;
	readonly [option: string]: unknown;
}

export interface WebSocketClientOptions {
	host: string;
	port: number;
	/** With the query; begins with "/". */
	path: string;
	protocol: string | undefined;
	headers: readonly (readonly [name: string, value: string])[];
	dns: WebSocketPart;
	socket: WebSocketPart;
	/** Becomes a member of the client, as whose methods the callbacks are called. */
	target?: unknown;
	/** `count` bytes of one message wait; `more` says that the message goes on after them. An empty message has the count 0. */
	onReadable(count: number, options: { more: boolean; binary: boolean | undefined }): void;
	/** `count` bytes may be written now. */
	onWritable(count: number): void;
	/** A close, ping or pong frame; the client itself answers pings and closes. */
	onControl(opcode: number, data: ArrayBuffer): void;
	/** Both sides have closed. */
	onClose(): void;
	/** The connection is lost or was never made; the reason is not told. */
	onError(): void;
}

/** As much of the client as is used here. */
export interface WebSocket {
	read(): ArrayBuffer | undefined;
	/** One frame or, with `more`, part of a message. Returns what room is left. @throws Error when there is too little room */
	write(data: Uint8Array, options: { opcode?: number; binary?: boolean; more?: boolean }): number;
	/** Drops the connection at once, without a close frame. */
	close(): void;
}

const WebSocketClient = Client as unknown as new (options: WebSocketClientOptions) => WebSocket;
export default WebSocketClient;
