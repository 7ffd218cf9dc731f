// The faults that a device has to live with: what is wrong with each connection's server or setting, and what the log says.

import {
	type CertificateName,
	type Column,
	framedMessage,
	http,
	type Misbehaviour,
	publication,
	TOPICS,
	webSocketClose,
	webSocketText,
} from "./peer.js";

/** In every token, password and query of the device; the log must not have it. */
export const SECRET = "s3cret";

/** One connection with one thing wrong with it. */
export interface Case {
	/** The address in place of the good one; PORT stands for the server's port. */
	readonly address?: string;
	/** A setting in place of the good one, by its name. */
	readonly settings?: { readonly [name: string]: string };
	/** What the server does. */
	readonly fault?: Misbehaviour;
	/** What the server shows, speaking TLS. */
	readonly certificate?: CertificateName;
	/** Is it called over TLS? */
	readonly secure?: boolean;
	/** Does nobody listen at first? */
	readonly gone?: boolean;
	/** The reason in the log. N stands for a number, … at the end for what some machines have to add. */
	readonly says: string;
	/** Lines that may stand before it. */
	readonly also?: readonly string[];
	/** Is it never tried again, because it can never work? */
	readonly never?: boolean;
	/** Does the download begin well, so that its end is told by a notification? */
	readonly begun?: boolean;
	/** Has it to wait for a minute or more? */
	readonly slow?: boolean;
}

/** A fault, and how it shows in each kind of connection; several ways, one after the other. */
export type Fault = { readonly title: string } & { readonly [column in Column]?: readonly Case[] };

/** The first bytes of an image of 100,000 bytes for a chip, by its number. */
export function imageFor(chip: number): Buffer {
	const image = Buffer.alloc(100_000, 7);
	image[0] = 0xe9;
	image.writeUInt16LE(chip, 12);
	image.writeUInt32LE(0xabcd5432, 32);
	image.write("2.3.4\0", 48);
	return image;
}

/** The chip of the simulated board. */
export const IMAGE = imageFor(9);

const download = (image: Buffer, length = image.byteLength) =>
	Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`), image]);

const page = http("200 OK", "<!DOCTYPE html><html><body>It works</body></html>", ["Content-Type: text/html"]);
const json = (value: unknown) => http("200 OK", JSON.stringify(value), ["Content-Type: application/json"]);

/** The same for the two connections over WebSocket. */
const webSocket = (...cases: Case[]) => ({ session: cases, endpoint: cases });
/** The same for the two requests over HTTP. */
const web = (...cases: Case[]) => ({ configuration: cases, firmware: cases });
/** The same for what holds a connection. */
const standing = (...cases: Case[]) => ({ session: cases, endpoint: cases, mqtt: cases, framed: cases });
const everywhere = (...cases: Case[]) => ({ ...standing(...cases), ...web(...cases) });

const never = true;

function badCertificate(title: string, certificate: CertificateName, says: string) {
	return { title, ...everywhere({ certificate, secure: true, says: `TLS failed: ${says}` }) };
}

/** Messages with a length that they never get to. */
const longFrame = Buffer.from([0x81, 126, 0x3e, 0x80, ...Buffer.from("x".repeat(2000))]);
const pieceOfMessage = Buffer.concat([Buffer.from([0x01, 126, 0xff, 0xff]), Buffer.alloc(65_535, "x")]);
const morePieces = Buffer.concat([Buffer.from([0x00, 126, 0xff, 0xff]), Buffer.alloc(65_535, "x")]);
const longPublication = Buffer.from([0x30, 0xa0, 0x1f, 0, TOPICS.toDevice.length, ...Buffer.from(`${TOPICS.toDevice}${"x".repeat(2000)}`)]);

const silentUpgrade: Case = { fault: {}, says: "no connection within 10 s, while waiting for the upgrade" };
const silentWeb: Case = { fault: {}, says: "the server sent nothing for 15 s" };
const deaf: Case = { fault: { after: "ready" }, says: "no message for 60 s, nor an answer to a ping", slow: true };

/** Every fault of the matrix, in the order of the table in docs/reliability.md. */
export const FAULTS: readonly Fault[] = [
	{
		title: "no address at all",
		...webSocket({ address: "nonsense", says: "the WebSocket address must begin with ws:// or wss://", never }),
		mqtt: [
			{
				address: "non sense",
				says: "the MQTT address has a space, control or non-ASCII character at position 4; write it percent-encoded",
				never,
			},
		],
		framed: [{ address: "nonsense", says: "the TCP address must begin with tcp:// or tls://", never }],
		...web({ address: "nonsense", says: "the web address must begin with http:// or https://", never }),
	},
	{
		title: "another scheme",
		...webSocket({
			address: `http://127.0.0.1:PORT/?token=${SECRET}`,
			says: "the WebSocket address must begin with ws:// or wss://",
			never,
		}),
		mqtt: [{ address: "ws://127.0.0.1:PORT", says: "the MQTT address must be host:port, or begin with mqtt:// or mqtts://", never }],
		framed: [{ address: "ws://127.0.0.1:PORT", says: "the TCP address must begin with tcp:// or tls://", never }],
		...web({ address: `ftp://127.0.0.1:PORT/?key=${SECRET}`, says: "the web address must begin with http:// or https://", never }),
	},
	{
		title: "a port that cannot be",
		...webSocket({ address: "ws://127.0.0.1:70000/", says: "the port of the WebSocket address must be a number from 1 to 65535", never }),
		mqtt: [{ address: "mqtt://127.0.0.1:70000", says: "the port of the MQTT address must be a number from 1 to 65535", never }],
		framed: [
			{ address: "tcp://127.0.0.1:0", says: "the port of the TCP address must be a number from 1 to 65535", never },
			{ address: "tcp://127.0.0.1", says: "the TCP address has no port: write tcp://host:port", never },
		],
		...web({ address: "http://127.0.0.1:70000/", says: "the port of the web address must be a number from 1 to 65535", never }),
	},
	{
		title: "an account in the address",
		...webSocket({
			address: `ws://user:${SECRET}@127.0.0.1:PORT/`,
			says: "user name and password in a WebSocket address are not supported: use a header",
			never,
		}),
		mqtt: [
			{
				address: `mqtt://user:${SECRET}@127.0.0.1:PORT`,
				says: "user name and password do not belong in the MQTT address: they are settings of their own",
				never,
			},
		],
		framed: [
			{
				address: `tcp://user:${SECRET}@127.0.0.1:PORT`,
				says: "an account does not belong in the TCP address: the token is a setting of its own",
				never,
			},
		],
		...web({
			address: `http://user:${SECRET}@127.0.0.1:PORT/`,
			says: "user name and password in a web address are not supported: use a header",
			never,
		}),
	},
	{
		title: "a setting that cannot be sent, or is missing",
		session: [
			{
				settings: { token: `${SECRET}\u00e9` },
				says: "token: only printable ASCII characters can be sent",
				never,
			},
		],
		endpoint: [
			{
				address: `ws://127.0.0.1:PORT/?token=${SECRET}\u00e9`,
				says: "the WebSocket address has a space, control or non-ASCII character at position N; write it percent-encoded",
				never,
			},
		],
		mqtt: [
			{ settings: { mqtt_username: "" }, says: "an MQTT password needs a user name", never },
			{ settings: { mqtt_publish: "" }, says: "the publish topic is missing", never },
		],
		framed: [
			{ settings: { framed_token: "" }, says: "the framed service needs a token", never },
			{ settings: { framed_token: `${SECRET}##` }, says: "framed_token: it must not contain ##, which marks the frames of the service", never },
		],
		...web({
			address: `http://127.0.0.1:PORT/?key=${SECRET}\u00e9`,
			says: "the web address has a space, control or non-ASCII character at position N; write it percent-encoded",
			never,
		}),
	},
	{ title: "nobody listens", ...everywhere({ gone: true, says: "could not connect to 127.0.0.1:N" }) },
	{
		title: "a name that nobody knows",
		...webSocket({ address: "ws://nowhere.invalid:PORT/", says: "no address found for nowhere.invalid" }),
		mqtt: [{ address: "mqtt://nowhere.invalid:PORT", says: "no address found for nowhere.invalid" }],
		framed: [{ address: "tcp://nowhere.invalid:PORT", says: "no address found for nowhere.invalid" }],
		configuration: [{ address: "http://nowhere.invalid:PORT/", says: "no address found for nowhere.invalid" }],
		firmware: [{ address: "https://nowhere.invalid:PORT/", says: "no address found for nowhere.invalid" }],
	},
	{
		title: "a wrong token or password",
		session: [
			{ fault: { sends: http("401 Unauthorized"), ends: "end" }, says: "the server answered 401 Unauthorized: not authorised" },
			{
				fault: {
					after: "welcome",
					sends: Buffer.concat([webSocketText("认证失败"), webSocketClose(1000, "")]),
				},
				says: "closed by the peer: 1000 normal closure",
				also: ["ignored a message that is not JSON", 'the server says "认证失败"; is the token right?'],
			},
			{
				fault: { after: "welcome", sends: webSocketClose(1008, "bad token") },
				says: 'closed by the peer: 1008 policy violation, "bad token"',
			},
		],
		endpoint: [
			{ fault: { sends: http("401 Unauthorized"), ends: "end" }, says: "the server answered 401 Unauthorized: not authorised" },
			{
				fault: { after: "welcome", sends: webSocketClose(1008, "bad token") },
				says: 'closed by the peer: 1008 policy violation, "bad token"',
			},
		],
		mqtt: [
			{ fault: { sends: Buffer.from([0x20, 2, 0, 4]), ends: "end" }, says: "the broker refused: 4 bad user name or password" },
			{ fault: { sends: Buffer.from([0x20, 2, 0, 5]) }, says: "the broker refused: 5 not authorised" },
		],
		framed: [
			{
				fault: { sends: framedMessage(1, "00000000", "##ERROR:token 无效"), ends: "end" },
				says: 'the service refused: "##ERROR:token 无效"; is the token right?',
			},
		],
		configuration: [
			{ fault: { sends: http("401 Unauthorized"), ends: "end" }, says: "the server answered 401" },
			{ fault: { sends: json({ success: false, message: "Invalid device ID" }) }, says: "the server refused: Invalid device ID" },
		],
		firmware: [{ fault: { sends: http("403 Forbidden"), ends: "end" }, says: "the server answered 403" }],
	},
	badCertificate("a certificate signed by itself", "signed by itself", "no CA that is trusted here has signed the server's certificate…"),
	badCertificate(
		"a certificate of a CA that nobody knows",
		"of a CA that nobody knows",
		"no CA that is trusted here has signed the server's certificate…",
	),
	badCertificate("a certificate for another name", "for another name", "the server's certificate is for example.com, not for localhost"),
	badCertificate("an expired certificate", "expired", "the server's certificate has expired…"),
	{
		title: "TLS is called, and the server does not speak it",
		...everywhere({
			fault: { after: "connection", sends: http("400 Bad Request"), ends: "end" },
			secure: true,
			says: "the server does not speak TLS",
		}),
	},
	{
		title: "the server speaks TLS, and is not called by it",
		...webSocket({ certificate: "good", says: "the server ended the connection without an answer to the upgrade" }),
		mqtt: [{ certificate: "good", says: "the broker ended the connection without an answer" }],
		framed: [{ certificate: "good", says: "the server ended the connection without an answer" }],
		...web({ certificate: "good", says: "the server ended the connection without an answer" }),
	},
	{
		title: "silent from the start, where TLS is called",
		...standing({ fault: { after: "connection" }, secure: true, says: "no connection within 10 s, while waiting for TLS" }),
		...web({ fault: { after: "connection" }, secure: true, says: "no connection within 15 s, while waiting for TLS" }),
	},
	{
		title: "silent from the start",
		...webSocket(silentUpgrade),
		mqtt: [{ fault: {}, says: "no connection within 10 s, while waiting for the broker's answer" }],
		framed: [{ fault: {}, says: "no answer to the authorisation within 5 s" }],
		...web(silentWeb),
	},
	{
		title: "silent once it has let the device in",
		session: [{ fault: { after: "welcome" }, says: "no hello within 10 s" }],
		endpoint: [{ ...deaf, fault: { after: "welcome" } }],
		mqtt: [{ fault: { after: "welcome" }, says: "no connection within 10 s, while waiting for the subscription" }],
		framed: [{ fault: { after: "ready" }, says: "no frame from the service for 45 s", slow: true }],
		...web({ fault: { sends: "HTTP/1.1 200 OK\r\nContent-Length: 4096\r\n\r\n{" }, says: "the server sent only N bytes in 15 s" }),
	},
	{
		title: "silent later",
		session: [deaf],
		endpoint: [deaf],
		mqtt: [{ fault: { after: "ready" }, says: "no packet from the broker for 60 s", slow: true }],
		firmware: [{ fault: { sends: download(IMAGE.subarray(0, 5000), IMAGE.byteLength) }, says: "the server sent only N bytes in 15 s", begun: true }],
	},
	{
		title: "one byte a second from the start",
		...webSocket({
			fault: { sends: http("101 Switching Protocols"), pace: "byte by byte" },
			says: "no connection within 10 s, while waiting for the upgrade",
		}),
		mqtt: [
			{
				fault: { sends: Buffer.from([0x20, 2, 0, 0]), pace: "byte by byte" },
				says: "no connection within 10 s, while waiting for the subscription",
			},
		],
		framed: [
			{ fault: { sends: framedMessage(1, "00000000", "##INFO:OK"), pace: "byte by byte" }, says: "no answer to the authorisation within 5 s" },
		],
		...web({ fault: { sends: page, pace: "byte by byte" }, says: "the server sent only N bytes in 15 s" }),
	},
	{
		title: "one byte a second later",
		session: [
			{ fault: { after: "welcome", sends: webSocketText(JSON.stringify({ type: "hello" })), pace: "byte by byte" }, says: "no hello within 10 s" },
			{ ...deaf, fault: { after: "ready", sends: longFrame, pace: "byte by byte" } },
		],
		endpoint: [{ ...deaf, fault: { after: "ready", sends: longFrame, pace: "byte by byte" } }],
		mqtt: [{ fault: { after: "ready", sends: longPublication, pace: "byte by byte" }, says: "no packet from the broker for 60 s", slow: true }],
		framed: [
			{
				fault: { after: "ready", sends: framedMessage(6, "mcp00001", "x".repeat(2000)), pace: "byte by byte" },
				says: "no frame from the service for 45 s",
				slow: true,
			},
		],
		configuration: [
			{ fault: { sends: `HTTP/1.1 200 OK\r\n\r\n${" ".repeat(60)}`, pace: "byte by byte" }, says: "the server sent only N bytes in 15 s" },
		],
		firmware: [{ fault: { sends: download(IMAGE), pace: "byte by byte" }, says: "the server sent only N bytes in 15 s" }],
	},
	{
		title: "a refusal",
		...webSocket(
			{
				fault: { sends: http("503 Service Unavailable"), ends: "end" },
				says: "the server answered 503 Service Unavailable: the server is not available",
			},
			{
				fault: { after: "ready", sends: webSocketClose(1013, "") },
				says: "closed by the peer: 1013 try again later",
			},
		),
		mqtt: [
			{ fault: { sends: Buffer.from([0x20, 2, 0, 3]), ends: "end" }, says: "the broker refused: 3 server unavailable" },
			{
				fault: { after: "welcome", sends: Buffer.from([0x90, 3, 0, 1, 0x80]) },
				says: `the broker refused the subscription to ${TOPICS.toDevice}`,
			},
		],
		framed: [
			{
				fault: { sends: framedMessage(5, "00000000", "##DISCONNECT"), ends: "end" },
				says: 'the service refused: "##DISCONNECT"; is the token right?',
			},
			{ fault: { after: "ready", sends: framedMessage(5, "00000000", "##DISCONNECT") }, says: "the service ended the session" },
		],
		...web({ fault: { sends: http("500 Internal Server Error", "oops"), ends: "end" }, says: "the server answered 500" }),
	},
	{
		title: "a reset in place of an answer",
		...webSocket({ fault: { ends: "reset" }, says: "the server ended the connection without an answer to the upgrade" }),
		mqtt: [{ fault: { ends: "reset" }, says: "the broker ended the connection without an answer" }],
		framed: [{ fault: { ends: "reset" }, says: "the server ended the connection without an answer" }],
		...web({ fault: { ends: "reset" }, says: "the server ended the connection without an answer" }),
	},
	{
		title: "a reset in the TLS handshake",
		...everywhere({ fault: { after: "bytes", ends: "reset" }, secure: true, says: "the server ended the connection during the TLS handshake" }),
	},
	{
		title: "a head that never ends",
		...webSocket({
			fault: { sends: `HTTP/1.1 101 Switching Protocols\r\n${"X-More: x\r\n".repeat(500)}`, pace: "for ever" },
			says: "the server's answer to the upgrade is too long",
		}),
		mqtt: [
			{
				fault: { after: "ready", sends: Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 1]) },
				says: "the broker broke the protocol: a length of more than four bytes",
			},
		],
		...web({
			fault: { sends: `HTTP/1.1 200 OK\r\n${"X-More: x\r\n".repeat(500)}`, pace: "for ever" },
			says: "the head of the answer is over 8192 bytes",
		}),
	},
	{
		title: "a message or an answer that never ends",
		...webSocket({
			fault: { after: "ready", sends: Buffer.concat([pieceOfMessage, ...Array.from({ length: 30 }, () => morePieces)]) },
			says: "a message that does not end after N bytes",
		}),
		mqtt: [
			{
				fault: { after: "ready", sends: Buffer.concat([Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f, 0, 1, 0x61]), Buffer.alloc(5000)]) },
				says: "a message of N bytes, at most 1200000 are passed over",
			},
		],
		framed: [{ fault: { after: "ready", sends: "##START".padEnd(2_000_000, "x") }, says: "a message that does not end after N bytes" }],
		configuration: [{ fault: { sends: `HTTP/1.1 200 OK\r\n\r\n${" ".repeat(20_000)}` }, says: "the answer is too long: at most 4096 are read" }],
		firmware: [
			{
				fault: { sends: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" },
				says: "the server does not say how long the image is",
			},
		],
	},
	{
		title: "a web page",
		...webSocket({ fault: { sends: page, ends: "end" }, says: "the server answered 200 OK: the server did not upgrade" }),
		mqtt: [
			{
				fault: { after: "connection", sends: http("400 Bad Request"), ends: "end" },
				says: "the server does not speak MQTT: it begins with byte 72",
			},
		],
		framed: [
			{
				fault: { sends: page, ends: "end" },
				says: 'the server does not speak this protocol: "HTTP/1.1 200 OK  Content-Type: text/htm…"',
				also: ['bytes outside of messages are ignored: "HTTP/1.1 200 OK  Content-Type: text/htm…"'],
			},
		],
		configuration: [{ fault: { sends: page, ends: "end" }, says: "the answer is a web page, not a configuration; is the address right?" }],
		firmware: [
			{ fault: { sends: page, ends: "end" }, says: "the server sent a web page, not a firmware" },
			{
				fault: { sends: download(Buffer.alloc(5000, "<")) },
				says: "this is no firmware image: it does not begin with 0xE9",
			},
		],
	},
	{
		title: "nothing at this path",
		...webSocket({ fault: { sends: http("404 Not Found"), ends: "end" }, says: "the server answered 404 Not Found: nothing at this path" }),
		...web({ fault: { sends: http("404 Not Found"), ends: "end" }, says: "the server answered 404" }),
	},
	{
		title: "a redirect",
		...webSocket({
			fault: { sends: http("302 Found", "", [`Location: https://elsewhere.invalid/mcp/?token=${SECRET}`]), ends: "end" },
			says: "the server answered 302 Found: moved to https://elsewhere.invalid/mcp/",
		}),
		configuration: [
			{
				fault: { sends: http("302 Found", "", [`Location: https://elsewhere.invalid/ota/?token=${SECRET}`]), ends: "end" },
				says: "the server answered 302: moved to https://elsewhere.invalid/ota/",
			},
		],
		firmware: [
			{
				fault: { sends: http("302 Found", "", ["Location: ftp://elsewhere.invalid/"]), ends: "end" },
				says: "redirected to an address that cannot be used: the web address must begin with http:// or https://",
			},
		],
	},
	{
		title: "an end in the middle",
		...webSocket({ fault: { after: "ready", sends: longFrame, ends: "end" }, says: "the connection was lost" }),
		mqtt: [{ fault: { after: "ready", sends: publication("x".repeat(100)).subarray(0, 50), ends: "end" }, says: "the connection was lost" }],
		framed: [{ fault: { after: "ready", sends: "##START\u0006mcp000010000{", ends: "reset" }, says: "the connection was lost" }],
		configuration: [
			{
				fault: { sends: 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"websocket":', ends: "end" },
				says: "the connection was lost, 87 bytes before the end of the answer",
			},
		],
		firmware: [
			{
				fault: { sends: download(IMAGE.subarray(0, 50_000), IMAGE.byteLength), ends: "end" },
				says: "the connection was lost, N bytes before the end of the answer",
				begun: true,
			},
		],
	},
	{
		title: "a breach of the protocol",
		...webSocket({
			fault: { after: "welcome", sends: Buffer.from([0x81, 0x82, 1, 2, 3, 4, 0x69, 0x6b]) },
			says: "the server broke the protocol: a masked frame from the server",
		}),
		mqtt: [{ fault: { after: "ready", sends: Buffer.from([0x82, 0]) }, says: "the broker broke the protocol: a packet of kind 8" }],
		...web({ fault: { sends: "SSH-2.0-x\r\n" }, says: 'the server does not speak HTTP: "SSH-2.0-x"' }),
		framed: [
			{
				fault: { after: "connection", sends: "SSH-2.0-x\r\n", ends: "end" },
				says: 'the server does not speak this protocol: "SSH-2.0-x"',
				also: ['bytes outside of messages are ignored: "SSH-2.0-x"'],
			},
		],
	},
	{
		title: "1 MB",
		configuration: [{ fault: { sends: http("200 OK", "x".repeat(1 << 20)) }, says: "the answer is too long: 1048576 bytes, at most 4096 are read" }],
	},
	{
		title: "a reply that is of no use",
		configuration: [
			{ fault: { sends: http("200 OK") }, says: 'the answer is not JSON: ""' },
			{ fault: { sends: json({ firmware: { version: "9.9.9" } }) }, says: "the answer has no usable websocket, mqtt or activation" },
			{
				fault: { sends: json({ websocket: { url: "http://127.0.0.1/" }, mqtt: { endpoint: "x:y", publish_topic: "t" } }) },
				says: "the answer has no usable websocket, mqtt or activation",
			},
			{ fault: { sends: http("200 OK", "[".repeat(4000)) }, says: "the answer is JSON nested deeper than 32" },
		],
	},
	{
		title: "an image that cannot be used",
		firmware: [
			{ fault: { sends: download(imageFor(5)) }, says: "the image is for esp32c3, this is esp32s3" },
			{ fault: { sends: download(IMAGE, 3_000_000) }, says: "the image has 3000000 bytes, there is room for 2097152" },
			{ fault: { sends: download(Buffer.from("abc")) }, says: "3 bytes are no firmware" },
			{
				fault: { sends: download(Buffer.concat([IMAGE.subarray(0, 20), Buffer.alloc(4980)])) },
				says: "the image has no description: is it a bootloader or a merged file?",
			},
		],
	},
];
