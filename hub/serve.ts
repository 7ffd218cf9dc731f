// `npm run backend`: takes devices on the network, and offers them on a page, over HTTP in the form of models' APIs and, with --mcp, as
// an MCP server.

import { atMost, EXIT_LIMIT_MS, onceSignalled, parseOptions, parsePort, runProgram } from "../cli/program.js";
import { plain } from "../cli/terminal.js";
import { startBackend } from "./backend.js";
import { Devices } from "./devices.js";
import { Gateway } from "./gateway.js";
import { hostInUrl, reachableAddresses } from "./http-server.js";
import { McpHttp } from "./mcp-http.js";
import { Observer } from "./observer.js";
import { parseToken } from "./options.js";
import { createPage } from "./page.js";
import { announceDevices, demandToken, explainListenError, flashLine, pageUrl } from "./serving.js";
import { Transcript } from "./transcript.js";

const USAGE = `Usage: npm run backend -- [--host H] [--port N] [--token T] [--mcp] [--user-tools]

Takes devices that speak the xiaozhi envelope or are MCP endpoints, and offers what they can do:

  GET  /                      a page to try them
  GET  /devices               who is there
  GET  /devices/ID/functions  a device's tools, in the form of chat APIs
  POST /devices/ID/call       {"name": TOOL, "arguments": {…}}

  --host H      the address to listen on, 0.0.0.0 for the whole network; 127.0.0.1 where it is not given
  --port N      8000 where it is not given
  --token T     what devices and callers have to send; needed for any address but 127.0.0.1
  --mcp         offers all devices at /mcp as one MCP server, too
  --user-tools  offers the tools that are for people only, too
  --help        shows this text
`;

await runProgram(USAGE, async (args) => {
	const values = parseOptions(args, {
		host: { type: "string", default: "127.0.0.1" },
		port: { type: "string", default: "8000" },
		token: { type: "string" },
		mcp: { type: "boolean", default: false },
		"user-tools": { type: "boolean", default: false },
	});
	const { host } = values;
	const port = parsePort(values.port);
	const token = values.token === undefined ? undefined : parseToken(values.token);
	demandToken("--host", host, token);
	const userTools = values["user-tools"];

	const transcript = new Transcript();
	const signalled = onceSignalled();
	const say = (text: string) => transcript.line(plain(text));
	const devices = new Devices({ withUserTools: userTools });
	announceDevices(devices, say);
	const gateway = values.mcp ? new Gateway(devices, { userTools }) : undefined;
	const mcp = gateway && new McpHttp(gateway, (problem) => say(`mcp: ${problem}`));
	const hint = () => flashLine(backend, token);
	const page = await createPage(new Observer(devices), { userTools, hint });
	const backend = await startBackend({
		host,
		port,
		token,
		routes: { ...page.routes, ...(mcp ? { mcp: mcp.route } : {}) },
		openRoutes: page.openRoutes,
		onSession: (session) => void devices.add(session),
		onRefused: (reason) => say(`refused: ${reason}`),
		onProblem: (problem) => say(`problem: ${problem}`),
	}).catch((error) => explainListenError(error, host, port, "--port"));
	for (const url of backend.urls()) say(`devices   ${url}`);
	for (const address of reachableAddresses(host)) {
		const base = `http://${hostInUrl(address)}:${backend.port}`;
		say(`page      ${pageUrl(backend.port, address, token)}`);
		say(`callers   ${base}/devices`);
		if (mcp) say(`clients   ${base}/mcp`);
	}
	say(`flash     ${flashLine(backend, token)}`);
	const signal = await signalled;
	say(`${signal}: closing`);
	page.close();
	gateway?.close();
	devices.close();
	await atMost(EXIT_LIMIT_MS, Promise.all([mcp?.close(), backend.close()]));
	return 0;
});
