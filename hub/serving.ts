// What the programs share that serve devices to others: addresses and tokens on the command line, and what they tell of devices.

import { Problem, UsageError } from "../cli/program.js";
import { type Backend, ENDPOINT_PATH } from "./backend.js";
import type { Devices } from "./devices.js";
import { hostInUrl, isLoopback } from "./http-server.js";

/** @throws UsageError unless the address is this machine's own or there is a token */
export function demandToken(option: string, host: string, token: string | undefined): void {
	if (!isLoopback(host) && token === undefined)
		throw new UsageError(`${option} ${host} can be reached by others: it needs --token T, for example --token ${suggestToken()}`);
}

function suggestToken(): string {
	return Buffer.from(crypto.getRandomValues(new Uint8Array(15)))
		.toString("base64url")
		.replace(/^-/, "A");
}

/** `PORT` or `HOST:PORT`; the host is 127.0.0.1 where it is not given. @throws UsageError */
export function parseAddress(option: string, text: string): { host: string; port: number } {
	const match = /^(?:(\[[0-9a-f:]+\]|[^:/\s]+):)?(\d+)$/i.exec(text);
	const port = Number(match?.[2]);
	if (!match || !(port <= 65535)) throw new UsageError(`${option} must look like 8000 or 0.0.0.0:8000, got "${text}"`);
	return { host: match[1] ?? "127.0.0.1", port };
}

/** @throws Problem that says which port cannot be had and why */
export function explainListenError(error: NodeJS.ErrnoException, host: string, port: number, option: string): never {
	if (error.code === "EADDRINUSE") throw new Problem(`port ${port} on ${host} is in use; choose another with ${option}`);
	if (error.code === "EACCES") throw new Problem(`port ${port} on ${host} is not allowed for this user; choose one above 1023 with ${option}`);
	throw new Problem(`port ${port} on ${host} cannot be listened on: ${error.message}`);
}

/** The command that makes a board connect here. */
export function flashLine(backend: Backend, token: string | undefined): string {
	return `npm run flash -- BOARD url=${backend.urls()[0]}${token === undefined ? "" : ` token=${token}`} ssid=NAME password=SECRET`;
}

/** The page's address; what stands behind the # is sent to nobody. */
export function pageUrl(port: number, host = "127.0.0.1", token?: string): string {
	return `http://${hostInUrl(host)}:${port}/${token === undefined ? "" : `#token=${encodeURIComponent(token)}`}`;
}

/** The address for a device that is an MCP endpoint. */
export function endpointUrl(backend: Backend, token: string | undefined): string {
	return `${backend.urls(undefined, ENDPOINT_PATH)[0]}?${token === undefined ? "" : `token=${encodeURIComponent(token)}&`}deviceId=ID`;
}

/** Says in a line each who comes, who goes and what went wrong. */
export function announceDevices(devices: Devices, say: (line: string) => void): void {
	devices.listen({
		onReady: (device) => {
			const { id, name, version, via, tools, userTools, session } = device;
			const more = userTools.length > 0 ? ` and ${userTools.length} for people only` : "";
			say(`device    ${name} ${version} (${id}) is there by ${via}, MCP ${session?.protocolVersion}: ${tools.length} tools${more}`);
		},
		onFailed: (session, reason) => say(`device    ${session.deviceId ?? session.via} could not be discovered: ${reason}`),
		onEnded: (session, reason) => say(`device    ${session.server?.name ?? session.deviceId ?? session.via} has gone: ${reason}`),
		onProblem: (problem) => say(`problem: ${problem}`),
	});
}
