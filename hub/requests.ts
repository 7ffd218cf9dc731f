// What routes that speak JSON have in common: the body of a request, and the answer.

import type { IncomingMessage, ServerResponse } from "node:http";
import { MAX_BODY_BYTES, type Route } from "./http-server.js";

/** Is answered with its status and `{"error": message}`. */
export class RequestError extends Error {
	readonly status: number;
	readonly headers: Record<string, string>;

	constructor(status: number, message: string, headers: Record<string, string> = {}) {
		super(message);
		this.status = status;
		this.headers = headers;
	}
}

/** A route whose `RequestError`s are answered. */
export function jsonRoute(work: Route): Route {
	return async (request, response, path) => {
		try {
			await work(request, response, path);
		} catch (error) {
			if (!(error instanceof RequestError)) throw error;
			answer(response, error.status, { error: error.message }, error.headers);
		}
	};
}

export function answer(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void {
	if (response.destroyed) return;
	response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers });
	response.end(JSON.stringify(value));
}

/** @throws RequestError for another method */
export function allow(request: IncomingMessage, method: string): void {
	if (request.method !== method) throw new RequestError(405, `the method is ${method}`, { Allow: method });
}

/** @throws RequestError unless the body is JSON, says so, and is not too long */
export async function readJson(request: IncomingMessage): Promise<unknown> {
	const type = (request.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
	if (type !== "application/json") throw new RequestError(415, "the Content-Type must be application/json");
	const tooLong = new RequestError(413, `the body must not exceed ${MAX_BODY_BYTES} bytes`, { Connection: "close" });
	if (Number(request.headers["content-length"]) > MAX_BODY_BYTES) throw tooLong;
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request) {
		size += chunk.length;
		if (size > MAX_BODY_BYTES) throw tooLong;
		chunks.push(chunk);
	}
	try {
		return JSON.parse(Buffer.concat(chunks).toString());
	} catch {
		throw new RequestError(400, "the body is not JSON");
	}
}
