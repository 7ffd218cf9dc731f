// `npm run gateway`: boards as a standard MCP server, over stdio or Streamable HTTP.

import { randomBytes } from "node:crypto";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { atMost, EXIT_LIMIT_MS, onceSignalled, Problem, runProgram } from "../cli/program.js";
import { plain } from "../cli/terminal.js";
import { startBackend } from "./backend.js";
import { Devices } from "./devices.js";
import { Gateway } from "./gateway.js";
import { parseGatewayOptions, USAGE } from "./gateway-options.js";
import { HttpDevice } from "./http-device.js";
import { HttpServer, hostInUrl, reachableAddresses } from "./http-server.js";
import { McpHttp } from "./mcp-http.js";
import { MqttDevices } from "./mqtt-devices.js";
import { Observer } from "./observer.js";
import { createPage } from "./page.js";
import { announceDevices, endpointUrl, explainListenError, flashLine, pageUrl } from "./serving.js";
import { runSimulatedBoard, simulatedId } from "./simulated-board.js";
import { startFailure, Transcript } from "./transcript.js";

/** Whoever asks for tools before the first devices are there waits no longer than this. */
const READY_LIMIT_MS = 20_000;

interface Closable {
	close(): unknown;
}

await runProgram(USAGE, async (args) => {
	const { token, http, listen, mqtt, httpDevices, board, userTools, verbose } = parseGatewayOptions(args);

	// stdout is the client's.
	const transcript = new Transcript(process.stderr);
	const say = (text: string) => transcript.line(plain(text));
	const signalled = onceSignalled();
	const closables: Closable[] = [];
	const devices = new Devices({ withUserTools: userTools });
	announceDevices(devices, say);
	const backendOptions = {
		onSession: devices.add.bind(devices),
		onRefused: (reason: string) => say(`refused: ${reason}`),
		onProblem: (problem: string) => say(`problem: ${problem}`),
	};
	const expected: Promise<unknown>[] = [];
	let fail: (error: unknown) => void = () => {};
	const failed = new Promise<never>((_resolve, reject) => {
		fail = reject;
	});
	failed.catch(() => {});

	try {
		if (listen) {
			const backend = await startBackend({ ...backendOptions, ...listen, token }).catch((error) =>
				explainListenError(error, listen.host, listen.port, "--listen"),
			);
			closables.push(backend);
			for (const url of backend.urls()) say(`devices   ${url}, or ${endpointUrl(backend, undefined)}`);
			say(`flash     ${flashLine(backend, token)}`);
		}
		if (mqtt) {
			const told = (connected: boolean, reason: string) => say(connected ? `broker    ${mqtt.url} is there` : `broker    ${mqtt.url}: ${reason}`);
			closables.push(new MqttDevices({ ...mqtt, ...backendOptions, onConnected: told }));
		}
		for (const options of httpDevices) {
			const device = new HttpDevice(devices, { ...options, onProblem: backendOptions.onProblem });
			closables.push(device);
			expected.push(device.tried);
		}
		if (board !== undefined) {
			// Nobody else on this machine can pass for the board.
			const secret = randomBytes(16).toString("hex");
			const backend = await startBackend({ ...backendOptions, token: secret });
			closables.push(backend);
			expected.push(
				new Promise<void>((resolve) => {
					const done = ({ id }: { id: string }) => id === simulatedId() && resolve();
					devices.listen({ onReady: done });
				}),
			);
			const starting = runSimulatedBoard({
				board,
				url: backend.url,
				token: secret,
				onLog: (line) => verbose && say(`  ${line}`),
				onRestart: () => say("device    the simulated board restarts"),
			});
			closables.push({ close: async () => (await starting).close() });
			void starting.then(
				async (device) => {
					if (device.engine === "node") say(`device    runs on Node, not on XS: ${device.engineReason ?? ""}`);
					const { ok, reason } = await device.exited;
					if (!ok) fail(new Problem(`the simulated board crashed: ${reason}`));
				},
				(error) => fail(startFailure(error, board)),
			);
		}
		const ready = atMost(READY_LIMIT_MS, Promise.race([Promise.all(expected), failed]));
		const gateway = new Gateway(devices, { userTools, ready });
		closables.push(gateway);
		const over = http ? serveHttp(devices, gateway, http, { token, userTools }, say, closables) : serveOnStdio(gateway, say, closables);
		await Promise.race([over, failed, signalled]);
		return 0;
	} finally {
		devices.close();
		await atMost(EXIT_LIMIT_MS, Promise.allSettled(closables.map(async (closable) => closable.close())));
	}
});

/** Never settles unless it fails. */
async function serveHttp(
	devices: Devices,
	gateway: Gateway,
	{ host, port }: { host: string; port: number },
	{ token, userTools }: { token: string | undefined; userTools: boolean },
	say: (text: string) => void,
	closables: Closable[],
): Promise<void> {
	const mcp = new McpHttp(gateway, (problem) => say(`mcp: ${problem}`));
	const page = await createPage(new Observer(devices), { userTools });
	const routes = { ...page.routes, mcp: mcp.route };
	const onRefused = (reason: string) => say(`refused: ${reason}`);
	const server = await HttpServer.listen({ host, port, token, routes, openRoutes: page.openRoutes, onRefused }).catch((error) =>
		explainListenError(error, host, port, "--http"),
	);
	closables.push(page, mcp, server);
	for (const address of reachableAddresses(host)) {
		say(`clients   http://${hostInUrl(address)}:${server.port}/mcp`);
		say(`page      ${pageUrl(server.port, address, token)}`);
	}
	await new Promise(() => {});
}

/** Settles when the client has closed its end. */
async function serveOnStdio(gateway: Gateway, say: (text: string) => void, closables: Closable[]): Promise<void> {
	if (process.env.npm_lifecycle_event !== undefined && process.env.npm_config_loglevel !== "silent")
		say("npm has written to stdout; clients want it silent: npm run --silent gateway");
	const transport = new StdioServerTransport();
	closables.push(serveStdio(gateway.createLastingServer, { transport, onerror: (error) => say(`mcp: ${error.message}`) }));
	// The library keeps subscriptions to itself; the devices have to know of them.
	const deliver = transport.onmessage;
	transport.onmessage = (message) => {
		const uris =
			"method" in message &&
			message.method === "subscriptions/listen" &&
			(message.params?.notifications as { resourceSubscriptions?: unknown })?.resourceSubscriptions;
		if (Array.isArray(uris)) void gateway.subscribe(uris.filter((uri) => typeof uri === "string"));
		deliver?.(message);
	};
	await new Promise<void>((resolve) => {
		process.stdin.once("end", resolve);
		process.stdin.once("close", resolve);
	});
}
