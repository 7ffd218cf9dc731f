// A configuration server, and a place to download firmware from, under the test's hand.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface ConfigurationRequest {
	readonly method: string;
	readonly url: string;
	readonly headers: IncomingMessage["headers"];
	readonly body: string;
}

/** Answers by the functions that it is given, the first path that the URL begins with; records what it was asked. */
export class ConfigurationServer {
	readonly requests: ConfigurationRequest[] = [];
	readonly #server: Server;
	readonly #secure: boolean;

	/** @param certificate makes it a server over TLS */
	static listen(
		answer: (request: ConfigurationRequest, response: ServerResponse) => void,
		certificate?: { pem: string; key: string },
	): Promise<ConfigurationServer> {
		return new Promise((resolve, reject) => {
			const listener = (request: IncomingMessage, response: ServerResponse) => {
				let body = "";
				request.setEncoding("utf8");
				request.on("data", (data) => {
					body += data;
				});
				request.on("end", () => {
					const seen = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
					made.requests.push(seen);
					answer(seen, response);
				});
			};
			const server = certificate ? createSecureServer({ cert: certificate.pem, key: certificate.key }, listener) : createServer(listener);
			const made = new ConfigurationServer(server, certificate !== undefined);
			server.once("error", reject);
			server.listen(0, "127.0.0.1", () => resolve(made));
		});
	}

	private constructor(server: Server, secure: boolean) {
		this.#server = server;
		this.#secure = secure;
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	get url(): string {
		return this.#secure ? `https://localhost:${this.port}/ota/` : `http://127.0.0.1:${this.port}/ota/`;
	}

	close(): Promise<void> {
		this.#server.closeAllConnections();
		return new Promise((resolve) => this.#server.close(() => resolve()));
	}
}
