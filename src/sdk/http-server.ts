// Moddable's HTTP server.

import Server from "embedded:network/http/server";

export interface HttpRequest {
	readonly method: string;
	/** With the query. */
	readonly path: string;
	/** Names in lower case. */
	readonly headers: Map<string, string>;
}

export interface HttpResponse {
	status: number;
	headers: Map<string, string | number>;
}

/** Called with the connection as `this`. */
export interface HttpConnectionCallbacks {
	/** The request's head has come. */
	onRequest?(this: HttpConnection, request: HttpRequest): void;
	/** `count` bytes of the request's body wait. */
	onReadable?(this: HttpConnection, count: number): void;
	/** The whole request has come: fill in the response and hand it to `respond`. */
	onResponse?(this: HttpConnection, response: HttpResponse): void;
	/** `count` bytes of the response's body may be written. */
	onWritable?(this: HttpConnection, count: number): void;
	/** The response has gone. */
	onDone?(this: HttpConnection): void;
	/** The connection is lost. */
	onError?(this: HttpConnection): void;
}

/** One visitor's connection, for one request. */
export interface HttpConnection {
	accept(callbacks: HttpConnectionCallbacks): void;
	read(count?: number): ArrayBuffer | undefined;
	/** Returns how many bytes may be written next. */
	write(data: Uint8Array): number;
	respond(response: HttpResponse): void;
	close(): void;
}

export interface HttpServerOptions {
	/** The class of the listening socket. */
	readonly io: new (
		options: never,
	) => unknown;
	readonly port: number;
	onConnect(connection: HttpConnection): void;
}

/** It listens from the constructor on. */
export interface Http {
	readonly port: number;
	close(): void;
}

const HttpServer = Server as unknown as new (options: HttpServerOptions) => Http;
export default HttpServer;
