// What the WebSocket transport promises, tried in the Moddable simulator against a real server.

/// <reference path="../../typings/tls-socket.d.ts" />
import TlsSocket from "embedded:io/socket/tcp/tls";
import Timer from "timer";
import type { Transport } from "transports/transport";
import { CONGESTED_BYTES, MAX_QUEUED_BYTES } from "transports/transport";
import { createWebSocketTransport, type WebSocketOptions } from "transports/websocket";
import type { Check, Scenario } from "./scenario.js";

/** What came over one connection, as promises. */
interface Talk {
	readonly transport: Transport;
	/** The next message as text. Rejects when the connection ends. */
	next(): Promise<string>;
	/** The reason of the end. */
	readonly closed: Promise<string>;
	readonly opened: Promise<void>;
	readonly log: string[];
	readonly received: string[];
}

type Reply = (text: string, transport: Transport) => void;

function talk(options: WebSocketOptions, reply?: Reply): Talk {
	const log: string[] = [];
	const received: string[] = [];
	const unread: string[] = [];
	const readers: { resolve(text: string): void; reject(error: Error): void }[] = [];
	let ended: Error | undefined;
	let open: () => void = () => {};
	let end: (reason: string) => void = () => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	const closed = new Promise<string>((resolve) => {
		end = resolve;
	});
	const transport = createWebSocketTransport({ log: (line) => log.push(line), ...options })({
		onOpen: () => open(),
		onMessage(bytes) {
			const text = String.fromArrayBuffer(bytes.slice().buffer as ArrayBuffer);
			received.push(text);
			if (reply) return reply(text, transport);
			const reader = readers.shift();
			if (reader) reader.resolve(text);
			else unread.push(text);
		},
		onClose(reason) {
			ended = new Error(`the connection ended: ${reason}`);
			for (const reader of readers.splice(0)) reader.reject(ended);
			end(reason);
		},
	});
	const next = () =>
		new Promise<string>((resolve, reject) => {
			const text = unread.shift();
			if (text !== undefined) resolve(text);
			else if (ended) reject(ended);
			else readers.push({ resolve, reject });
		});
	return { transport, next, closed, opened, log, received };
}

const at = (check: Check, path: string) => `ws://127.0.0.1:${check.port}${path}`;
const later = (milliseconds: number) => new Promise<void>((resolve) => Timer.set(() => resolve(), milliseconds));

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
		const found = await talk({ url: at(check, path) }).closed;
		check.that(found.startsWith(reason), `it ended with: ${found}`);
	},
});

interface TlsAbout {
	port?: number;
	ca: string;
	other: string;
	closeNotifyPort: number;
	alertPort: number;
	garbagePort: number;
	badRecordPort: number;
	spoilerPort: number;
}

async function aboutTls(check: Check): Promise<TlsAbout | undefined> {
	const { next, transport } = talk({ url: at(check, "/tls") });
	const about = JSON.parse(await next());
	transport.close();
	if (!about.port) check.note("skipped: the peer has no openssl");
	return about.port ? about : undefined;
}

const bytesOf = (base64: string) => (Uint8Array as unknown as { fromBase64(text: string): Uint8Array }).fromBase64(base64).buffer;
const tlsWith = (ca: string) => ({ io: TlsSocket, secure: { certificate: bytesOf(ca) } });
const token = [["Authorization", "Bearer secret"]] as const;

/** The connection to a broken TLS server ends in words and the token never goes out in clear. */
const brokenTls = (name: string, member: keyof TlsAbout, reason: string): Scenario => ({
	title: `wss: ${name}: ends in words, the request does not go out in clear`,
	async run(check) {
		const about = await aboutTls(check);
		if (!about) return;
		const found = await talk({ url: `wss://localhost:${about[member]}/`, headers: token, tls: tlsWith(about.ca) }).closed;
		check.that(found.startsWith(reason), `it ended with: ${found}`);
		const report = talk({ url: at(check, `/report?key=${name}`) });
		check.same(JSON.parse(await report.next()), { inClear: false });
		report.transport.close();
	},
});

export const transportScenarios: readonly Scenario[] = [
	{
		title: "opens and echoes, in order",
		async run(check) {
			const { transport, next, opened } = talk({ url: at(check, "/echo") });
			await opened;
			for (let i = 0; i < 20; i++) transport.send(`message ${i} ä灯🚀`);
			for (let i = 0; i < 20; i++) check.same(await next(), `message ${i} ä灯🚀`);
			transport.close();
		},
	},
	{
		title: "localhost is looked up without a name server",
		async run(check) {
			const { transport, next, opened } = talk({ url: `ws://localhost:${check.port}/echo` });
			await opened;
			transport.send("here");
			check.same(await next(), "here");
			transport.close();
		},
	},
	{
		title: "sends path, query and headers as given, Host with the port, Connection: Upgrade alone",
		async run(check) {
			const { next, transport } = talk({
				url: at(check, "/request?token=a%20b+c&x=%E7%81%AF"),
				headers: [["Authorization", "Bearer abc"], ["Device-Id", "aa:bb"]],
				protocol: "mcp",
			});
			const { url, headers } = JSON.parse(await next()) as { url: string; headers: string[] };
			check.same(url, "/request?token=a%20b+c&x=%E7%81%AF");
			const value = (name: string) => headers.filter((_, i) => i % 2 === 1 && headers[i - 1] === name);
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
			const { transport, next, opened } = talk({ url: at(check, "/strict") });
			await opened;
			transport.send("hello");
			check.same(await next(), "hello");
			transport.close();
		},
	},
	{
		title: "sends a request larger than the socket's buffer",
		async run(check) {
			const secret = "s".repeat(5000);
			const { next, transport } = talk({ url: at(check, "/request"), headers: [["Authorization", `Bearer ${secret}`]] });
			const { headers } = JSON.parse(await next()) as { headers: string[] };
			check.same(headers[headers.indexOf("Authorization") + 1]?.length, 5007);
			transport.close();
		},
	},
	...["/without-phrase", "/keep-alive", "/byte-by-byte"].map(
		(path): Scenario => ({
			title: `${path}: accepts this form of the upgrade`,
			async run(check) {
				const { next, transport } = talk({ url: at(check, path) });
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
			const reason = await talk({ url: at(check, "/nothing") }).closed;
			check.same(reason, "no connection within 10 s, while waiting for the upgrade");
			check.that(Date.now() - start < 11_000, "too late");
		},
	},
	{
		title: "says that it could not connect",
		async run(check) {
			check.same(await talk({ url: "ws://127.0.0.1:1/" }).closed, "could not connect to 127.0.0.1:1");
		},
	},
	{
		title: "gives up on a name that does not resolve",
		async run(check) {
			const reason = await talk({ url: "ws://name.invalid/" }).closed;
			check.note(reason);
			check.that(reason === "no address found for name.invalid" || reason === "no connection within 10 s, while looking up the name", reason);
		},
	},
	{
		title: "close while connecting is silent, and no socket opens later",
		async run(check) {
			const { transport, closed } = talk({ url: at(check, "/watch?key=early") });
			transport.close();
			transport.close();
			transport.send("nothing");
			const other = talk({ url: "ws://name.invalid/" });
			other.transport.close();
			const first = await Promise.race([closed, other.closed, later(1500)]);
			check.same(first, undefined);
		},
	},
	{
		title: "sends 100 KB as one message in pieces",
		async run(check) {
			const { transport, next, opened } = talk({ url: at(check, "/digest") });
			await opened;
			const text = "灯ab🚀ä".repeat(10_000);
			transport.send(text);
			check.that(transport.congested, "it should be congested now");
			transport.send("");
			transport.send("x");
			const { binary, bytes } = JSON.parse(await next());
			check.same([binary, bytes], [false, 110_000]);
			check.same(JSON.parse(await next()).bytes, 0);
			check.same(JSON.parse(await next()).bytes, 1);
			check.that(!transport.congested, "it should not be congested any more");
			transport.close();
		},
	},
	{
		title: "puts pieces together again, characters cut in two and pings between them",
		async run(check) {
			const echo = talk({ url: at(check, "/digest") });
			await echo.opened;
			for (const [bytes, step] of [[16384, 777], [16384, 1], [16384, 20000], [5000, 125], [5000, 126]] as const) {
				const one = talk({ url: at(check, `/pieces?bytes=${bytes}&step=${step}${step === 1 ? "" : "&ping"}`) });
				const text = await one.next();
				one.transport.close();
				echo.transport.send(text);
				check.same(JSON.parse(await echo.next()).bytes, bytes);
				check.that(text.startsWith("aä灯🚀aä灯🚀"), "the beginning");
			}
			echo.transport.close();
		},
	},
	{
		title: "drops messages over the limit with a line in the log, and delivers the next",
		async run(check) {
			const { transport, next, log } = talk({ url: at(check, "/too-large") });
			check.same(await next(), "before");
			check.same(await next(), "after");
			check.same(log, ["a message of 1000000 bytes was dropped: the limit is 16384", "a message of 20000 bytes was dropped: the limit is 16384"]);
			transport.close();
		},
	},
	{
		title: "drops 16385 bytes",
		async run(check) {
			const { transport, log, opened } = talk({ url: at(check, "/pieces?bytes=16385&step=4000") });
			await opened;
			await later(500);
			check.same(log, ["a message of 16385 bytes was dropped: the limit is 16384"]);
			transport.close();
		},
	},
	{
		title: "ignores binary and empty messages, with one line in the log",
		async run(check) {
			const { transport, next, log } = talk({ url: at(check, "/binary") });
			check.same(await next(), "text");
			check.same(log, ["binary messages are ignored"]);
			transport.close();
		},
	},
	{
		title: "answers 100 pipelined requests of a slow reader, all, in order, with bounded memory",
		async run(check) {
			let most = 0;
			let delivered = 0;
			let congestedDelivery = false;
			const answer = "a".repeat(4000);
			const { received, closed } = await new Promise<Talk>((resolve) => {
				const it: Talk = talk({ url: at(check, "/slow-reader?count=100&wait=1500") }, (text, transport) => {
					if (!text.startsWith("{")) return resolve(it);
					if (transport.congested) congestedDelivery = true;
					const { id } = JSON.parse(text);
					delivered++;
					// As a session does: the answer comes in a later turn.
					Promise.resolve().then(() => {
						transport.send(JSON.stringify({ id, answer }));
						const waiting = (transport as unknown as { congested: boolean }).congested ? 1 : 0;
						most = Math.max(most, waiting);
					});
				});
				it.closed.then(() => resolve(it));
			});
			check.same(received.filter((text) => !text.startsWith("{")), ["all answers came"]);
			check.same(delivered, 100);
			check.that(!congestedDelivery, "a message was delivered while congested");
			check.that(most === 1, "it was never congested");
			void closed;
		},
	},
	{
		title: "gives up on a peer that never reads when too much waits",
		async run(check) {
			const one = talk({ url: at(check, "/never-reads") });
			await one.next();
			const text = "x".repeat(8000);
			// The systems on both sides take a good deal before they stop.
			const sender = Timer.repeat(() => {
				for (let i = 0; i < 20 && !one.transport.congested; i++) one.transport.send(text);
			}, 10);
			while (!one.transport.congested) await later(50);
			let last = -1;
			for (let quiet = 0; quiet < 20; ) {
				await later(50);
				quiet = one.transport.congested ? quiet + 1 : 0;
				last = quiet;
			}
			Timer.clear(sender);
			check.same(last, 20);
			for (let i = 0; i <= MAX_QUEUED_BYTES / text.length; i++) one.transport.send(text);
			const reason = await one.closed;
			check.that(reason.startsWith("the peer does not read: "), reason);
			check.that(CONGESTED_BYTES < MAX_QUEUED_BYTES, "limits");
		},
	},
	{
		title: "answers pings",
		async run(check) {
			const { transport, next, opened } = talk({ url: at(check, "/ping") });
			await opened;
			transport.send("ping me");
			check.same(await next(), "pong are you there");
			transport.close();
		},
	},
	{
		title: "tells the peer's close code and reason in words, on one line",
		async run(check) {
			check.same(await talk({ url: at(check, "/close?code=1008&reason=bad%20token") }).closed, 'closed by the peer: 1008 policy violation, "bad token"');
			check.same(await talk({ url: at(check, "/close?code=1000") }).closed, "closed by the peer: 1000 normal closure");
			check.same(await talk({ url: at(check, "/close?code=4001&reason=%E7%81%AF%0Aoff") }).closed, 'closed by the peer: 4001 the server\'s own code, "灯 off"');
		},
	},
	{
		title: "delivers what came before the peer's close in the same packet",
		async run(check) {
			const { closed, received } = talk({ url: at(check, "/last-words") });
			check.same(await closed, 'closed by the peer: 1008 policy violation, "bad token"');
			check.same(received, ["one", "two", "three"]);
		},
	},
	{
		title: "tells of an abrupt end",
		async run(check) {
			const { transport, closed, opened } = talk({ url: at(check, "/terminate") });
			await opened;
			transport.send("go");
			check.same(await closed, "the connection was lost");
			transport.send("nobody hears");
			transport.close();
		},
	},
	{
		title: "closes cleanly after what is queued, in silence, twice",
		async run(check) {
			const { transport, closed, opened } = talk({ url: at(check, "/watch?key=clean") });
			await opened;
			transport.send("z".repeat(20_000));
			transport.send("last");
			transport.close();
			transport.close();
			transport.send("too late");
			const report = talk({ url: at(check, "/report?key=clean") });
			const { code, messages } = JSON.parse(await report.next()) as { code: number; messages: string[] };
			report.transport.close();
			check.same(code, 1000);
			check.same(messages.map((message) => message.length), [20_000, 4]);
			check.same(await Promise.race([closed, later(300)]), undefined);
		},
	},
	{
		title: "survives callbacks that throw",
		async run(check) {
			const log: string[] = [];
			let rounds = 0;
			await new Promise<void>((resolve) => {
				const transport = createWebSocketTransport({ url: at(check, "/echo"), log: (line) => log.push(line) })({
					onOpen() {
						transport.send("one");
						throw new Error("in onOpen");
					},
					onMessage() {
						if (rounds++ === 0) transport.send("two");
						else transport.send("x".repeat(MAX_QUEUED_BYTES + 1));
						throw new Error("in onMessage\nand more");
					},
					onClose() {
						resolve();
						throw new Error("in onClose");
					},
				});
			});
			await later(50);
			check.same(log, [
				"onOpen threw Error: in onOpen",
				"onMessage threw Error: in onMessage and more",
				"onMessage threw Error: in onMessage and more",
				"onClose threw Error: in onClose",
			]);
		},
	},
	{
		title: "wss: opens, echoes large messages both ways",
		async run(check) {
			const about = await aboutTls(check);
			if (!about) return;
			const tls = tlsWith(about.ca);
			const url = `wss://localhost:${about.port}`;
			const strict = talk({ url: `${url}/strict`, headers: token, tls });
			await strict.opened;
			const large = "ä灯🚀".repeat(1000);
			strict.transport.send(large);
			check.that((await strict.next()) === large, "the echo differs");
			strict.transport.close();
			const digest = talk({ url: `${url}/digest`, headers: [["Authorization", "s".repeat(4000)]], tls });
			await digest.opened;
			digest.transport.send("灯ab🚀ä".repeat(5000));
			check.same(JSON.parse(await digest.next()).bytes, 55_000);
			digest.transport.close();
			const huge = talk({ url: `${url}/too-large`, tls });
			check.same(await huge.next(), "before");
			check.same(await huge.next(), "after");
			huge.transport.close();
			const pieces = talk({ url: `${url}/pieces?bytes=16384&step=500&ping`, tls });
			check.that((await pieces.next()).startsWith("aä灯🚀"), "pieces");
			pieces.transport.close();
			check.same(await talk({ url: `${url}/close?code=1008&reason=x`, tls }).closed, 'closed by the peer: 1008 policy violation, "x"');
			check.same(await talk({ url: `${url}/401`, tls }).closed, "the server answered 401 Unauthorized: not authorised");
		},
	},
	{
		title: "wss: answers 100 pipelined requests of a slow reader",
		async run(check) {
			const about = await aboutTls(check);
			if (!about) return;
			const answer = "a".repeat(2000);
			let congestedDelivery = false;
			const last = await new Promise<string>((resolve) => {
				const it = talk({ url: `wss://localhost:${about.port}/slow-reader?count=100&wait=1000`, tls: tlsWith(about.ca) }, (text, transport) => {
					if (!text.startsWith("{")) return resolve(text);
					if (transport.congested) congestedDelivery = true;
					const { id } = JSON.parse(text);
					Promise.resolve().then(() => transport.send(JSON.stringify({ id, answer })));
				});
				it.closed.then(resolve);
			});
			check.same(last, "all answers came");
			check.that(!congestedDelivery, "a message was delivered while congested");
		},
	},
	{
		title: "wss: refuses a certificate of a stranger, and a name that is not in it",
		async run(check) {
			const about = await aboutTls(check);
			if (!about) return;
			const stranger = await talk({ url: `wss://localhost:${about.port}/echo`, tls: tlsWith(about.other) }).closed;
			check.note(stranger);
			check.that(stranger.startsWith("TLS failed: "), stranger);
			const name = await talk({ url: `wss://localhost:${about.port}/echo`, tls: { io: TlsSocket, secure: { certificate: bytesOf(about.ca), serverName: "example.com" } } }).closed;
			check.note(name);
			check.that(name.startsWith("TLS failed: "), name);
		},
	},
	{
		title: "wss: a record spoiled on the way ends the connection in words",
		async run(check) {
			const about = await aboutTls(check);
			if (!about) return;
			const reason = await talk({ url: `wss://localhost:${about.spoilerPort}/echo`, tls: tlsWith(about.ca) }).closed;
			check.note(reason);
			check.that(reason.startsWith("TLS failed: "), reason);
		},
	},
	brokenTls("close-notify", "closeNotifyPort", "TLS failed: the server refused: alert 0, closed"),
	brokenTls("alert", "alertPort", "TLS failed: the server refused: alert 40, no common cipher"),
	brokenTls("garbage", "garbagePort", "the server does not speak TLS"),
	brokenTls("bad-record", "badRecordPort", "TLS failed: "),
];
