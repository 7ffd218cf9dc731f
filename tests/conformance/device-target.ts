// A program: the firmware on XS with its own MCP over HTTP, and the tools that the official conformance suite asks a server for.
// The suite brings no token, so there is a proxy in front that adds it, and leaves everything else as it is.

import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { runDevice } from "../../simulator/run-device.js";

const TOKEN = "the-conformance-suite";

const freePort = () =>
	new Promise<number>((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address() as AddressInfo;
			server.close(() => resolve(port));
		});
	});

const port = await freePort();
const device = await runDevice({
	// Few tools of its own: the suite reads one page.
	board: "m5atom_echo_s3r",
	engine: "xs",
	entry: "tests/conformance/device-entry.ts",
	config: { http_port: port, http_token: TOKEN, device_id: "02:00:00:00:00:01" },
	onLog: (line) => process.stderr.write(`${line}\n`),
});
void device.exited.then(({ ok, reason }) => {
	if (!ok) throw new Error(`the device crashed: ${reason}`);
});

const proxy = createServer((incoming, outgoing) => {
	const { method, url, headers } = incoming;
	const forwarded = request({ host: "127.0.0.1", port, method, path: url, headers: { ...headers, authorization: `Bearer ${TOKEN}` } }, (answer) => {
		outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
		answer.pipe(outgoing);
		// An event is of use at once.
		outgoing.flushHeaders();
	});
	forwarded.on("error", () => outgoing.destroy());
	outgoing.on("close", () => forwarded.destroy());
	incoming.pipe(forwarded);
});
proxy.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp\n`));
