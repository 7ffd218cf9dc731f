// A configuration server, and a place to download firmware from, under the test's hand.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
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

	static listen(answer: (request: ConfigurationRequest, response: ServerResponse) => void, port = 0): Promise<ConfigurationServer> {
		return new Promise((resolve, reject) => {
			const server = createServer((request, response) => {
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
			});
			const made = new ConfigurationServer(server);
			server.once("error", reject);
			server.listen(port, "127.0.0.1", () => resolve(made));
		});
	}

	private constructor(server: Server) {
		this.#server = server;
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}/ota/`;
	}

	close(): Promise<void> {
		this.#server.closeAllConnections();
		return new Promise((resolve) => this.#server.close(() => resolve()));
	}
}
