// `npm run device`: only the simulated device, against any backend, endpoint, broker or framed service.

import { createInterface } from "node:readline";
import { parseBoard, parseLanguage } from "../cli/boards.js";
import { atMost, EXIT_LIMIT_MS, onceSignalled, Problem, parseOptions, runProgram, UsageError } from "../cli/program.js";
import { plain } from "../cli/terminal.js";
import { type RunningDevice, runDevice } from "../simulator/run-device.js";
import { BoardState } from "./board-state.js";
import {
	defaultMacAddress,
	parseDeviceUrl,
	parseFramedAddress,
	parseMacAddress,
	parseMqttUrl,
	parseOtaUrl,
	parseSentence,
	parseToken,
	parseUuid,
	readCertificates,
	readToken,
	uuidOf,
} from "./options.js";
import { startFailure, Transcript } from "./transcript.js";

const USAGE = `Usage: npm run device -- --url ws://HOST:PORT/PATH [--token T] [other peers] [--device-id MAC]
                         [--client-id UUID] [--board NAME] [--language en|zh] [--engine xs|node]
                         [--say TEXT] [--talk]

Runs a simulated device until SIGINT (Ctrl-C) or SIGTERM. It needs a peer, and takes several together:

  --url URL        the backend's WebSocket address, ws:// or wss://
  --token T        is sent to it as "Authorization: Bearer T"
  --token-file F   the token is in this file, or else in the environment variable MODDABLE_MCP_TOKEN, where no list of processes shows it
  --ota URL        a configuration server, http:// or https://, which names the backend
  --endpoint URL   an MCP endpoint, ws:// or wss://, used as it is, token and all; may be given more than once
  --mqtt URL       a backend behind an MQTT broker, mqtt://USER:PASSWORD@HOST:PORT
  --publish T      the topic that the device publishes to
  --subscribe T    the topic that the device subscribes to; without it, the broker has to send by itself
  --mqtt-id ID     the client id for the broker; the device id where it is not given
  --framed ADDRESS a framed service, tcp://HOST:PORT
  --framed-token T its JSON Web Token; --token T will do where there is no --url
  --http PORT      MCP clients over Streamable HTTP, at http://127.0.0.1:PORT/mcp
  --http-token T   what they have to send; where it is not given, the device makes one and tells it

What the device says, and what it hears and shows, can be tried without a microphone:

  --say TEXT       says a sentence to the assistant behind the main session, as soon as that is there; may be given up to four times
  --talk           says every line that is typed

For wss://, mqtts:// and tls://:

  --ca FILE        a certificate, PEM or DER, of a CA of your own; public CAs are trusted without it

And who the device is:

  --device-id MAC  the network address; where it is not given, one that stays the same on this machine
  --client-id UUID where it is not given, one that belongs to the network address
  --board NAME     a folder of boards/, or a path to one; "simulator" where it is not given
  --language L     of the tools' texts, en or zh; en where it is not given
  --engine E       xs or node; where it is not given, XS if it could be built, or else Node
  --help           shows this text
`;

/** What each peer needs, as the firmware's configuration has it. */
function peerSettings(values: {
	url?: string;
	ota?: string;
	token?: string;
	endpoint?: string[];
	mqtt?: string;
	publish?: string;
	subscribe?: string;
	"mqtt-id"?: string;
	framed?: string;
	"framed-token"?: string;
	http?: string;
	"http-token"?: string;
}): Record<string, unknown> {
	const { url, ota, endpoint = [], mqtt, publish, subscribe, framed, http } = values;
	const settings: Record<string, unknown> = {};
	if ([url, ota, endpoint[0], mqtt, framed, http].every((peer) => peer === undefined))
		throw new UsageError(
			"--url is missing, for example --url ws://127.0.0.1:8000/xiaozhi/v1/; or give --ota, --endpoint, --mqtt, --framed or --http",
		);
	if (values.token !== undefined) {
		if (url === undefined && framed === undefined) throw new UsageError("--token belongs to --url or --framed; an endpoint has its token in its URL");
		parseToken(values.token);
	}
	if (url !== undefined) Object.assign(settings, { url: parseDeviceUrl(url), token: values.token });
	if (ota !== undefined) settings.ota_url = parseOtaUrl(ota);
	if (endpoint.length > 0) settings.endpoint = endpoint.map((given) => parseDeviceUrl(given, "--endpoint")).join(" ");
	if (mqtt !== undefined) {
		const { endpoint, username, password } = parseMqttUrl(mqtt);
		if (!publish) throw new UsageError("--mqtt needs --publish TOPIC");
		Object.assign(settings, {
			mqtt_endpoint: endpoint,
			mqtt_username: username,
			mqtt_password: password,
			mqtt_client_id: values["mqtt-id"],
			mqtt_publish: publish,
			mqtt_subscribe: subscribe,
		});
	} else if (publish !== undefined || subscribe !== undefined || values["mqtt-id"] !== undefined)
		throw new UsageError("--publish, --subscribe and --mqtt-id belong to --mqtt");
	if (framed !== undefined) {
		const token = values["framed-token"] ?? (url === undefined ? values.token : undefined);
		if (token === undefined) throw new UsageError("--framed needs --framed-token T");
		Object.assign(settings, { framed_address: parseFramedAddress(framed), framed_token: parseToken(token) });
	} else if (values["framed-token"] !== undefined) throw new UsageError("--framed-token belongs to --framed");
	if (http !== undefined) Object.assign(settings, { http_port: parsePort(http), http_token: parseHttpToken(values["http-token"]) });
	else if (values["http-token"] !== undefined) throw new UsageError("--http-token belongs to --http");
	return settings;
}

/** @throws UsageError */
function parsePort(text: string): number {
	const port = Number(text);
	if (!Number.isInteger(port) || port < 1 || port > 65535) throw new UsageError(`--http must be a port, 1 to 65535, got "${text}"`);
	return port;
}

/** @throws UsageError for a token that the device would not take */
function parseHttpToken(text: string | undefined): string | undefined {
	if (text !== undefined && !/^[\x21-\x7e]{16,128}$/.test(text))
		throw new UsageError("--http-token must be 16 to 128 printable ASCII characters without spaces");
	return text;
}

/** The environment's token is of no interest to a device without a peer that takes one. */
function tokenFor(values: { url?: string; framed?: string; "framed-token"?: string; token?: string; "token-file"?: string }): string | undefined {
	const { url, framed, token, "token-file": file } = values;
	const takesOne = url !== undefined || (framed !== undefined && values["framed-token"] === undefined);
	return takesOne || file !== undefined ? readToken(token, file) : token;
}

await runProgram(USAGE, async (args) => {
	const values = parseOptions(args, {
		url: { type: "string" },
		token: { type: "string" },
		"token-file": { type: "string" },
		ota: { type: "string" },
		endpoint: { type: "string", multiple: true },
		mqtt: { type: "string" },
		publish: { type: "string" },
		subscribe: { type: "string" },
		"mqtt-id": { type: "string" },
		framed: { type: "string" },
		"framed-token": { type: "string" },
		say: { type: "string", multiple: true, default: [] },
		talk: { type: "boolean", default: false },
		http: { type: "string" },
		"http-token": { type: "string" },
		ca: { type: "string" },
		"device-id": { type: "string" },
		"client-id": { type: "string" },
		board: { type: "string", default: "simulator" },
		language: { type: "string" },
		engine: { type: "string" },
	});
	const settings = peerSettings({ ...values, token: tokenFor(values) });
	const resources = values.ca === undefined ? {} : readCertificates(values.ca);
	const deviceId = values["device-id"] === undefined ? defaultMacAddress() : parseMacAddress(values["device-id"]);
	const clientId = values["client-id"] === undefined ? uuidOf(deviceId) : parseUuid(values["client-id"]);
	const board = parseBoard(values.board);
	const { engine = "auto" } = values;
	if (engine !== "auto" && engine !== "xs" && engine !== "node") throw new UsageError(`--engine must be xs or node, got "${engine}"`);

	for (const text of values.say) parseSentence(text);
	const transcript = new Transcript();
	const state = new BoardState(transcript, "show ");
	const signalled = onceSignalled();
	let stopping = false;
	const starting = runDevice({
		board,
		config: { ...settings, language: parseLanguage(values.language), device_id: deviceId, client_id: clientId, certificate: Object.keys(resources) },
		resources,
		engine,
		onLog: (line) => transcript.line(plain(line)),
		onDescribe: (part, description) => state.describe(part, description),
		onShow: (part, value) => state.show(part, value),
		onRestart: () => transcript.line("the device restarts"),
	});
	async function live(): Promise<number> {
		let device: RunningDevice;
		try {
			device = await transcript.leadWith(starting, ({ engine, engineReason }) => {
				const where = engine === "xs" ? "XS" : `Node${engineReason ? ` (${plain(engineReason)})` : ""}`;
				return `board ${board} on ${where}, device id ${deviceId}`;
			});
		} catch (error) {
			throw startFailure(error, board);
		}
		for (const text of values.say) device.say(text);
		if (values.talk) {
			transcript.line("Type a sentence; the device says it to the assistant. Ctrl-C ends.");
			createInterface({ input: process.stdin }).on("line", (line) => line.trim() && device.say(line.trim()));
		}
		const { ok, reason } = await device.exited;
		if (!ok && !stopping) throw new Problem(`the device crashed: ${plain(reason)}`);
		return 0;
	}
	const stopped = signalled.then(async () => {
		stopping = true;
		// Started or not, a device that comes up late is closed too.
		await atMost(
			EXIT_LIMIT_MS,
			starting.then((device) => device.close()),
		);
		return 0;
	});
	return await Promise.race([live(), stopped]);
});
