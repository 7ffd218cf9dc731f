// The command line of `npm run gateway`.

import { parseBoard } from "../cli/boards.js";
import { parseOptions, UsageError } from "../cli/program.js";
import { checkTopic, DEFAULT_DOWN, DEFAULT_UP } from "./mqtt-devices.js";
import { parseMqttUrl, parseToken } from "./options.js";
import { demandToken, parseAddress } from "./serving.js";

export const USAGE = `Usage: npm run --silent gateway -- [--http PORT] [devices] [--user-tools] [--verbose]

A standard MCP server, over stdio where --http is not given:

  --http PORT       over Streamable HTTP on 127.0.0.1, at /mcp, with a page at /; HOST:PORT for another address
  --token T         what MCP clients, and devices that connect here, have to send; needed for any address but 127.0.0.1
  --user-tools      offers the tools that are for people only, too

for any of these devices, and for a simulated board where there are none:

  --board NAME      a simulated board: a folder of boards/, or a path to one
  --listen ADDRESS  devices that connect here, in the xiaozhi envelope or as MCP endpoints; HOST:PORT or PORT
  --mqtt URL        devices behind a broker, mqtt://USER:PASSWORD@HOST:PORT
  --mqtt-up T       where they publish to, with "+" for the device's id; ${DEFAULT_UP} where it is not given
  --mqtt-down T     where they listen; ${DEFAULT_DOWN} where it is not given
  --device URL      a device that serves MCP itself, http://HOST/mcp; may be given more than once
  --device-token T  its token; one for all, or one for each in the same order

  --verbose         tells what the simulated board logs, too
  --help            shows this text

Everything that is told goes to stderr.
`;

/** What the gateway serves, to whom, and how. @throws UsageError */
export function parseGatewayOptions(args: string[]) {
	const values = parseOptions(args, {
		http: { type: "string" },
		token: { type: "string" },
		"user-tools": { type: "boolean", default: false },
		board: { type: "string" },
		listen: { type: "string" },
		mqtt: { type: "string" },
		"mqtt-up": { type: "string" },
		"mqtt-down": { type: "string" },
		device: { type: "string", multiple: true, default: [] },
		"device-token": { type: "string", multiple: true, default: [] },
		verbose: { type: "boolean", default: false },
	});
	const token = values.token === undefined ? undefined : parseToken(values.token);
	const http = values.http === undefined ? undefined : parseAddress("--http", values.http);
	const listen = values.listen === undefined ? undefined : parseAddress("--listen", values.listen);
	for (const [option, address] of [["--http", http] as const, ["--listen", listen] as const]) if (address) demandToken(option, address.host, token);
	const mqtt = mqttOptions(values);
	const httpDevices = httpDeviceOptions(values.device, values["device-token"]);
	const isAlone = !listen && !mqtt && httpDevices.length === 0;
	const board = values.board === undefined ? (isAlone ? "simulator" : undefined) : parseBoard(values.board);
	return { token, http, listen, mqtt, httpDevices, board, userTools: values["user-tools"], verbose: values.verbose };
}

function mqttOptions(values: { mqtt?: string; "mqtt-up"?: string; "mqtt-down"?: string }) {
	const { mqtt, "mqtt-up": up, "mqtt-down": down } = values;
	if (mqtt === undefined) {
		if (up !== undefined || down !== undefined) throw new UsageError("--mqtt-up and --mqtt-down belong to --mqtt");
		return undefined;
	}
	const { endpoint, username, password } = parseMqttUrl(mqtt);
	try {
		for (const topic of [up, down]) if (topic !== undefined) checkTopic(topic);
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
	return { url: endpoint, username, password, up, down };
}

function httpDeviceOptions(urls: readonly string[], tokens: readonly string[]): { url: string; token: string | undefined }[] {
	if (tokens.length > 1 && tokens.length !== urls.length) throw new UsageError("--device-token is given once for all devices, or once for each");
	if (tokens.length > 0 && urls.length === 0) throw new UsageError("--device-token belongs to --device");
	return urls.map((text, index) => {
		const url = URL.canParse(text) ? new URL(text) : undefined;
		if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
			throw new UsageError("--device must look like http://HOST/mcp, without name and password; the token is --device-token");
		const token = tokens.length > 1 ? tokens[index] : tokens[0];
		return { url: url.href, token: token === undefined ? undefined : parseToken(token) };
	});
}
