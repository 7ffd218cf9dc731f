// The list of devices over plain HTTP, in the form that models' APIs take (seed 003): who is there, what each can do, and calls.

import { type Device, type Devices, summary } from "./devices.js";
import type { Route } from "./http-server.js";
import { callOffered, Offer } from "./offer.js";
import { allow, answer, jsonRoute, RequestError, readJson } from "./requests.js";

/** A tool in the form that chat APIs take. */
export interface ModelFunction {
	type: "function";
	function: { name: string; description: string; parameters: unknown };
}

/** The tools of one device for a model, under names that models accept. */
export function modelFunctions(device: Device, withUserTools = false): ModelFunction[] {
	return new Offer([device], withUserTools).tools.map(({ name, tool }) => ({
		type: "function",
		function: { name, description: tool.description ?? tool.title ?? "", parameters: tool.inputSchema },
	}));
}

/**
 * `GET /devices`, `GET /devices/ID/functions`, `POST /devices/ID/call` with `{"name", "arguments"}`, where the arguments
 * may be a JSON text, as models give them.
 */
export function deviceRoutes(devices: Devices, { userTools = false }: { userTools?: boolean } = {}): Route {
	return jsonRoute(async (request, response, path) => {
		const [, , id, what, ...rest] = path.split("/");
		if (rest.length > 0) throw new RequestError(404, "there is nothing here");
		if (!id) {
			allow(request, "GET");
			return answer(response, 200, { devices: devices.known.map(summary) });
		}
		const device = devices.find(decode(id));
		if (!device) throw new RequestError(404, `there is no device "${decode(id)}"`);
		if (what === undefined || what === "") {
			allow(request, "GET");
			return answer(response, 200, summary(device));
		}
		if (what === "functions") {
			allow(request, "GET");
			return answer(response, 200, modelFunctions(device, userTools));
		}
		if (what !== "call") throw new RequestError(404, "there is nothing here");
		allow(request, "POST");
		const { name, args } = callIn(await readJson(request));
		const offered = new Offer([device], userTools).find(name);
		if (!offered) throw new RequestError(404, `Unknown tool: ${name}`);
		if (!device.session) throw new RequestError(503, `${device.name} is away: ${device.reason}`, { "Retry-After": "5" });
		const stop = new AbortController();
		response.on("close", () => stop.abort("the caller has gone"));
		answer(response, 200, await callOffered(offered, args, { signal: stop.signal }));
	});
}

function decode(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		throw new RequestError(400, "the path is not encoded well");
	}
}

function callIn(body: unknown): { name: string; args: Record<string, unknown> } {
	const { name, arguments: given = {} } = (body ?? {}) as { name?: unknown; arguments?: unknown };
	if (typeof name !== "string") throw new RequestError(400, 'the body must be {"name": TOOL, "arguments": {…}}');
	let args = given;
	if (typeof given === "string")
		try {
			args = JSON.parse(given || "{}");
		} catch {
			throw new RequestError(400, "the arguments are not JSON");
		}
	if (typeof args !== "object" || args === null || Array.isArray(args)) throw new RequestError(400, "the arguments must be an object");
	return { name, args: args as Record<string, unknown> };
}
