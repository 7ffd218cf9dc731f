// ECMA-419's WebSocket client in Moddable (examples/io/tcp/websocketclient), as far as this project uses it.

declare module "embedded:network/websocket/client" {
	type Bytes = ArrayBufferLike | ArrayBufferView;

	interface Options {
		host?: string;
		port?: number;
		/** With the query; begins with "/". */
		path?: string;
		protocol?: string;
		headers?: Map<string, string>;
		socket?: { io: new (options: any) => any };
		dns?: { io: new (options: any) => any };
		/** `count` bytes of one message wait; `more` says that the message goes on after them. An empty message has the count 0. */
		onReadable?: (this: WebSocketClient, count: number, options: { more: boolean; binary: boolean }) => void;
		/** `count` bytes may be written now. */
		onWritable?: (this: WebSocketClient, count: number) => void;
		/** A close, ping or pong frame; pings and closes are answered by the client itself. */
		onControl?: (this: WebSocketClient, opcode: number, data: ArrayBuffer) => void;
		/** Both sides have closed. */
		onClose?: (this: WebSocketClient) => void;
		/** The connection is lost or was never made; the reason is not told. */
		onError?: (this: WebSocketClient) => void;
		format?: "buffer" | "number";
		target?: any;
	}

	export default class WebSocketClient {
		static readonly text: 1;
		static readonly binary: 2;
		static readonly close: 8;
		static readonly ping: 9;
		static readonly pong: 10;
		constructor(options: Options);
		/** Drops the connection at once, without a close frame. */
		close(): void;
		/** One frame or, with `more`, a part of a message. Throws when it is longer than the room that is left; returns what is left after it. */
		write(data: Bytes, options?: { binary?: boolean; more?: boolean; opcode?: number }): number;
		read(): number | ArrayBuffer;
		read(count: number): ArrayBuffer;
		read(buffer: Bytes): number;
		target?: any;
	}
}
