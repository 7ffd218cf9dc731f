// What the WebSocket transport promises beyond the contract of all transports.

import { parseWebSocketUrl } from "net/address";
import Timer from "timer";
import { createWebSocketTransport } from "transports/websocket";
import type { Check, Scenario } from "../support/scenario.js";
import { later, talk } from "./talk.js";
import { transportContract } from "./transport-contract.js";

const at = (check: Check, path: string) => parseWebSocketUrl(`ws://127.0.0.1:${check.port}${path}`);
const to = (check: Check, path: string) => createWebSocketTransport({ timers: Timer, url: at(check, path) });

/** Each refusal with the reason that must be given. */
const REFUSALS: readonly (readonly [path: string, reason: string])[] = [
	["/401", "the server answered 401 Unauthorized: not authorised"],
	["/401-without-phrase", "the server answered 401: not authorised"],
	["/200", "the server answered 200 OK: the server did not upgrade"],
	["/redirect", "the server answered 302 Found: moved to https://example.com/"],
	["/no-such-path", "the server answered 404 Not Found: nothing at this path"],
	["/hang-up", "the server ended the connection without an answer to the upgrade"],
	["/garbage", 'the server does not speak HTTP: "'],
	["/huge-head", "the server's answer to the upgrade is too long"],
	["/endless-head", "the server's answer to the upgrade is too long"],
	["/101-without-headers", "the server answered 101 without the headers of a WebSocket upgrade"],
	["/101-without-upgrade", "the server answered 101 without the headers of a WebSocket upgrade"],
	["/101-without-connection", "the server answered 101 without the headers of a WebSocket upgrade"],
	["/101-with-extension", "the server uses an extension that was not asked for: permessage-deflate"],
	["/wrong-accept", "the server answered 101 with a wrong Sec-WebSocket-Accept"],
];

const VIOLATIONS: readonly (readonly [path: string, reason: string])[] = [
	["/2-to-63", "the server broke the protocol: a frame of more than 2 GB"],
	["/4-gb", "the server broke the protocol: a frame of more than 2 GB"],
	["/masked", "the server broke the protocol: a masked frame from the server"],
	["/reserved-bits", "the server broke the protocol: a frame with reserved bits"],
	["/unknown-opcode", "the server broke the protocol: a frame of unknown kind 3"],
	["/stray-continuation", "the server broke the protocol: a continuation of no message"],
	["/long-ping", "the server broke the protocol: a control frame in pieces or over 125 bytes"],
	["/hang-up-in-frame", "the connection was lost"],
];

const endsWith = ([path, reason]: readonly [string, string]): Scenario => ({
	title: `${path}: ends with "${reason}"`,
	async run(check) {
		const found = await talk(to(check, path)).closed;
		check.that(found.startsWith(reason), `it ended with: ${found}`);
	},
});

export const websocketScenarios: readonly Scenario[] = [
	...transportContract((check, path, log) => createWebSocketTransport({ timers: Timer, url: at(check, path), log })),
	{
		title: "localhost is known without a name server",
		async run(check) {
			const { transport, next, opened } = talk(
				createWebSocketTransport({ timers: Timer, url: parseWebSocketUrl(`ws://localhost:${check.port}/echo`) }),
			);
			await opened;
			transport.send("here");
			check.same(await next(), "here");
			transport.close();
		},
	},
	{
		title: "sends path, query and headers as given, Host with the port, Connection: Upgrade alone",
		async run(check) {
			const { next, transport } = talk(
				createWebSocketTransport({
					timers: Timer,
					url: at(check, "/request?token=a%20b+c&x=%E7%81%AF"),
					headers: [
						["Authorization", "Bearer abc"],
						["Device-Id", "aa:bb"],
					],
					protocol: "mcp",
				}),
			);
			const { url, headers } = JSON.parse(await next()) as { url: string; headers: string[] };
			const value = (name: string) => headers.filter((_, i) => i % 2 === 1 && headers[i - 1] === name);
			check.same(url, "/request?token=a%20b+c&x=%E7%81%AF");
			check.same(value("Connection"), ["Upgrade"]);
			check.same(value("Host"), [`127.0.0.1:${check.port}`]);
			check.same(value("Authorization"), ["Bearer abc"]);
			check.same(value("Device-Id"), ["aa:bb"]);
			check.same(value("Sec-WebSocket-Protocol"), ["mcp"]);
			transport.close();
		},
	},
	{
		title: "gets through to a server that wants exactly Connection: Upgrade",
		async run(check) {
			const { transport, next, opened } = talk(to(check, "/strict"));
			await opened;
			transport.send("hello");
			check.same(await next(), "hello");
			transport.close();
		},
	},
	{
		title: "sends a request larger than the socket's buffer",
		async run(check) {
			const authorization = `Bearer ${"s".repeat(3000)}`;
			const { next, transport } = talk(
				createWebSocketTransport({ timers: Timer, url: at(check, "/request"), headers: [["Authorization", authorization]] }),
			);
			const { headers } = JSON.parse(await next()) as { headers: string[] };
			check.that(headers[headers.indexOf("Authorization") + 1] === authorization, "the header differs");
			transport.close();
		},
	},
	...["/without-phrase", "/keep-alive", "/byte-by-byte"].map(
		(path): Scenario => ({
			title: `${path}: accepts this form of the upgrade`,
			async run(check) {
				const { next, transport } = talk(to(check, path));
				check.same(await next(), "welcome");
				transport.close();
			},
		}),
	),
	...REFUSALS.map(endsWith),
	...VIOLATIONS.map(endsWith),
	{
		title: "gives up when there is no answer to the upgrade within 10 s",
		async run(check) {
			const start = Date.now();
			check.same(await talk(to(check, "/nothing")).closed, "no connection within 10 s, while waiting for the upgrade");
			check.that(Date.now() - start < 11_000, "too late");
		},
	},
	{
		title: "says that it could not connect",
		async run(check) {
			check.same(
				await talk(createWebSocketTransport({ timers: Timer, url: parseWebSocketUrl("ws://127.0.0.1:1/") })).closed,
				"could not connect to 127.0.0.1:1",
			);
		},
	},
	{
		title: "gives up on a name that does not resolve",
		async run(check) {
			const reason = await talk(createWebSocketTransport({ timers: Timer, url: parseWebSocketUrl("ws://name.invalid/") })).closed;
			check.that(reason === "no address found for name.invalid" || reason === "no connection within 10 s, while looking up the name", reason);
		},
	},
	{
		title: "close during the name lookup opens no socket later",
		async run(check) {
			const { transport, closed } = talk(
				createWebSocketTransport({ timers: Timer, url: parseWebSocketUrl(`ws://localhost:${check.port}/watch?key=early`) }),
			);
			transport.close();
			const other = talk(createWebSocketTransport({ timers: Timer, url: parseWebSocketUrl("ws://name.invalid/") }));
			other.transport.close();
			check.same(await Promise.race([closed, other.closed, later(1500)]), undefined);
		},
	},
	{
		title: "ignores binary and empty messages, with one line in the log",
		async run(check) {
			const log: string[] = [];
			const { transport, next } = talk(createWebSocketTransport({ timers: Timer, url: at(check, "/binary"), log: (line) => log.push(line) }));
			check.same(await next(), "text");
			check.same(log, ["binary messages are ignored"]);
			transport.close();
		},
	},
	{
		title: "reads on rightly when it writes between two halves of a frame header",
		async run(check) {
			const { transport, next } = talk(to(check, "/split-header"));
			check.same(await next(), "hi");
			transport.close();
		},
	},
	{
		title: "answers pings",
		async run(check) {
			const { transport, next, opened } = talk(to(check, "/ping"));
			await opened;
			transport.send("ping me");
			check.same(await next(), "pong are you there");
			transport.close();
		},
	},
	{
		title: "tells the peer's close code and reason in words, on one line",
		async run(check) {
			check.same(await talk(to(check, "/close?code=1008&reason=bad%20token")).closed, 'closed by the peer: 1008 policy violation, "bad token"');
			check.same(
				await talk(to(check, "/close?code=4001&reason=%E7%81%AF%0Aoff")).closed,
				'closed by the peer: 4001 the server\'s own code, "灯 off"',
			);
		},
	},
];
