// What the WebSocket transport promises over TLS.

import { parseMqttEndpoint, parseWebSocketUrl } from "net/address";
import Timer from "timer";
import { tlsTrusting } from "tls/settings";
import { createMqttTransport } from "transports/mqtt";
import type { Transport } from "transports/transport";
import { createWebSocketTransport, type WebSocketOptions } from "transports/websocket";
import type { Check, Scenario } from "../support/scenario.js";
import { talk } from "./talk.js";

const at = (check: Check, path: string) => `ws://127.0.0.1:${check.port}${path}`;
type Options = Omit<WebSocketOptions, "timers" | "url"> & { url: string };
const speak = ({ url, ...options }: Options, reply?: (text: string, transport: Transport) => void) =>
	talk(createWebSocketTransport({ timers: Timer, ...options, url: parseWebSocketUrl(url) }), reply);

interface TlsAbout {
	port: number;
	ca: string;
	other: string;
	leafOnlyPort: number;
	middlePort: number;
	large: string;
	largePort: number;
	pinnedPort: number;
	pinned: string;
	impostorPort: number;
	impostorOverGoodPort: number;
	byLeafPort: number;
	elsewherePort: number;
	expiredPort: number;
	unsignedPort: number;
	wronglySignedPort: number;
	noCertificatePort: number;
	closeNotifyPort: number;
	alertPort: number;
	garbagePort: number;
	badRecordPort: number;
	spoilerPort: number;
	mqttsPort: number;
	rsaPort: number;
	cbcPort: number;
	p384Port: number;
	meterPort: number;
}

async function aboutTls(check: Check): Promise<TlsAbout> {
	const { next, transport } = speak({ url: at(check, "/tls") });
	const about = {};
	for (let member = await next(); member !== "{}"; member = await next()) Object.assign(about, JSON.parse(member));
	transport.close();
	return about as TlsAbout;
}

const bytesOf = (hex: string) => Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
const tlsWith = (ca: string) => tlsTrusting(() => [bytesOf(ca)]);
const token = [["Authorization", "Bearer secret"]] as const;

/** The connection ends in words; neither the token in clear nor a key exchange goes out. */
const brokenTls = (name: string, member: keyof TlsAbout, reason: string): Scenario => ({
	title: `wss: ${name}: ends in words, before anything is told to the server`,
	async run(check) {
		const about = await aboutTls(check);
		const found = await speak({ url: `wss://localhost:${about[member]}/`, headers: token, tls: tlsWith(about.ca) }).closed;
		check.that(found.startsWith(reason), `it ended with: ${found}`);
		const report = speak({ url: at(check, `/report?key=${name}`) });
		// ECDHE with AES-128 in GCM and nothing else: for an ECDSA key, and for an RSA key.
		check.same(JSON.parse(await report.next()), { inClear: false, keyExchange: false, offered: ["c02b", "c02f"] });
		report.transport.close();
	},
});

/** What the server shows is not good: no connection, and the reason in words. */
const refused = (title: string, member: keyof TlsAbout, words: string, trust: "ca" | "other" = "ca"): Scenario => ({
	title: `wss: refuses ${title}`,
	async run(check) {
		const about = await aboutTls(check);
		const it = speak({ url: `wss://localhost:${about[member]}/echo`, headers: token, tls: tlsWith(about[trust]) });
		const found = await Promise.race([it.closed, it.opened.then(() => "it opened")]);
		it.transport.close();
		check.that(found.startsWith("TLS failed: ") && found.includes(words), found);
	},
});

export const tlsScenarios: readonly Scenario[] = [
	{
		title: "wss: opens with a server that sends its certificate alone, or with others up to the CA, or is trusted itself",
		async run(check) {
			const about = await aboutTls(check);
			const ways: [number, string][] = [
				[about.leafOnlyPort, about.ca],
				[about.middlePort, about.ca],
				[about.largePort, about.large],
				[about.pinnedPort, about.pinned],
				[about.p384Port, about.ca],
			];
			for (const [port, trusted] of ways) {
				const it = speak({ url: `wss://localhost:${port}/echo`, tls: tlsWith(trusted) });
				check.same(await Promise.race([it.closed, it.opened.then(() => "it opened")]), "it opened");
				it.transport.send("ä灯🚀");
				check.same(await it.next(), "ä灯🚀");
				it.transport.close();
			}
		},
	},
	refused("a certificate of a CA that is not trusted", "port", "no CA that is trusted here has signed the server's certificate", "other"),
	refused("a certificate that signed itself", "pinnedPort", "no CA that is trusted here has signed the server's certificate"),
	refused(
		"a certificate that signed itself, with a known CA behind it",
		"impostorPort",
		"no CA that is trusted here has signed the server's certificate",
	),
	refused(
		"a certificate that signed itself, with a genuine one behind it",
		"impostorOverGoodPort",
		"no CA that is trusted here has signed the server's certificate",
	),
	refused("a certificate signed by one that is no CA", "byLeafPort", "which is no CA"),
	refused("a certificate for another name", "elsewherePort", "the server's certificate is for example.com, *.example.com, not for localhost"),
	refused("an expired certificate", "expiredPort", "the server's certificate has expired"),
	{
		title: "wss: opens, echoes large messages both ways",
		async run(check) {
			const about = await aboutTls(check);
			const tls = tlsWith(about.ca);
			const url = `wss://localhost:${about.port}`;
			const strict = speak({ url: `${url}/strict`, headers: token, tls });
			await strict.opened;
			const large = "ä灯🚀".repeat(450);
			strict.transport.send(large);
			check.that((await strict.next()) === large, "the echo differs");
			strict.transport.close();
			const digest = speak({ url: `${url}/digest`, headers: [["Authorization", "s".repeat(4000)]], tls });
			await digest.opened;
			digest.transport.send("灯ab🚀ä".repeat(5000));
			check.same(JSON.parse(await digest.next()).bytes, 55_000);
			digest.transport.close();
			const huge = speak({ url: `${url}/too-large`, tls });
			check.same(await huge.next(), "before");
			check.same(await huge.next(), "after");
			huge.transport.close();
			const pieces = speak({ url: `${url}/pieces?bytes=4096&step=500&ping`, tls });
			check.that((await pieces.next()).startsWith("aä灯🚀"), "pieces");
			pieces.transport.close();
			check.same(await speak({ url: `${url}/close?code=1008&reason=x`, tls }).closed, 'closed by the peer: 1008 policy violation, "x"');
			check.same(await speak({ url: `${url}/401`, tls }).closed, "the server answered 401 Unauthorized: not authorised");
		},
	},
	{
		title: "wss: answers 100 pipelined requests of a slow reader",
		async run(check) {
			const about = await aboutTls(check);
			const answer = "a".repeat(2000);
			let congestedDelivery = false;
			const last = await new Promise<string>((resolve) => {
				const it = speak({ url: `wss://localhost:${about.port}/slow-reader?count=100&wait=1000`, tls: tlsWith(about.ca) }, (text, transport) => {
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
		title: "wss: a record spoiled on the way ends the connection in words",
		async run(check) {
			const about = await aboutTls(check);
			const reason = await speak({ url: `wss://localhost:${about.spoilerPort}/echo`, tls: tlsWith(about.ca) }).closed;
			check.that(reason.startsWith("TLS failed: "), reason);
		},
	},
];

/** For Moddable's simulator: single messages of the handshake and words of the SDK's TLS, and MQTT over TLS, whose broker is there only. */
export const handshakeScenarios: readonly Scenario[] = [
	{
		title: "wss: asks for records of 2,048 bytes, keeps to that, and takes a handshake that comes in such records",
		async run(check) {
			const about = await aboutTls(check);
			const tls = tlsWith(about.ca);
			const together = speak({ url: `wss://localhost:${about.port}/together`, tls });
			for (const character of "abcd") check.that((await together.next()) === character.repeat(4080), `the message of ${character} differs`);
			together.transport.close();
			const echo = speak({ url: `wss://localhost:${about.meterPort}/strict`, tls });
			await echo.opened;
			echo.transport.send("x".repeat(4096));
			check.that((await echo.next()) === "x".repeat(4096), "the echo differs");
			echo.transport.close();
			const report = speak({ url: at(check, "/report?key=records") });
			const { device, server } = JSON.parse(await report.next());
			// GCM adds nonce and tag.
			check.same([server, device <= 2048 + 24], [2048 + 24, true]);
			report.transport.close();
		},
	},
	brokenTls("unsigned", "unsignedPort", "TLS failed: the server has not signed its key exchange"),
	brokenTls("wrongly-signed", "wronglySignedPort", "TLS failed: TLS: serverKeyExchange: failed to verify signature"),
	brokenTls("no-certificate", "noCertificatePort", "TLS failed: the server does not keep to the order of a TLS handshake"),
	brokenTls("close-notify", "closeNotifyPort", "TLS failed: the server refused: alert 0, closed"),
	brokenTls("alert", "alertPort", "TLS failed: the server refused: alert 40, no common cipher"),
	brokenTls("rsa", "rsaPort", "TLS failed: the server chose the cipher suite 0x002f, which is not admitted"),
	brokenTls("cbc", "cbcPort", "TLS failed: the server chose the cipher suite 0xc027, which is not admitted"),
	brokenTls("garbage", "garbagePort", "the server does not speak TLS"),
	brokenTls("bad-record", "badRecordPort", "TLS failed: "),
	{
		title: "mqtts: opens, echoes large messages, refuses the certificate of a stranger",
		async run(check) {
			const about = await aboutTls(check);
			const options = {
				address: parseMqttEndpoint(`mqtts://localhost:${about.mqttsPort}`),
				clientId: "tls",
				username: "/echo",
				publishTopic: "to/peer",
				subscribeTopic: "to/tls",
			};
			const { transport, next, opened } = talk(createMqttTransport({ timers: Timer, ...options, tls: tlsWith(about.ca) }));
			await opened;
			for (const text of ["one", "ä灯🚀".repeat(450), "two"]) transport.send(text);
			check.same(await next(), "one");
			check.that((await next()) === "ä灯🚀".repeat(450), "the echo differs");
			check.same(await next(), "two");
			transport.close();
			const reason = await talk(createMqttTransport({ timers: Timer, ...options, tls: tlsWith(about.other) })).closed;
			check.note(reason);
			check.that(reason.startsWith("TLS failed: "), reason);
		},
	},
];
