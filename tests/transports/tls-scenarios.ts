// What the WebSocket transport promises over TLS; needs the SDK's TLS socket.

/// <reference path="../../typings/tls-socket.d.ts" />
import TlsSocket from "embedded:io/socket/tcp/tls";
import { createMqttTransport } from "transports/mqtt";
import type { Transport } from "transports/transport";
import { createWebSocketTransport, type WebSocketOptions } from "transports/websocket";
import type { Check, Scenario } from "./scenario.js";
import { talk } from "./talk.js";

const at = (check: Check, path: string) => `ws://127.0.0.1:${check.port}${path}`;
const speak = (options: WebSocketOptions, reply?: (text: string, transport: Transport) => void) => talk(createWebSocketTransport(options), reply);

interface TlsAbout {
	port?: number;
	ca: string;
	other: string;
	closeNotifyPort: number;
	alertPort: number;
	garbagePort: number;
	badRecordPort: number;
	spoilerPort: number;
	mqttsPort: number;
}

async function aboutTls(check: Check): Promise<TlsAbout | undefined> {
	const { next, transport } = speak({ url: at(check, "/tls") });
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
		const found = await speak({ url: `wss://localhost:${about[member]}/`, headers: token, tls: tlsWith(about.ca) }).closed;
		check.that(found.startsWith(reason), `it ended with: ${found}`);
		const report = speak({ url: at(check, `/report?key=${name}`) });
		check.same(JSON.parse(await report.next()), { inClear: false });
		report.transport.close();
	},
});

export const tlsScenarios: readonly Scenario[] = [
	{
		title: "wss: opens, echoes large messages both ways",
		async run(check) {
			const about = await aboutTls(check);
			if (!about) return;
			const tls = tlsWith(about.ca);
			const url = `wss://localhost:${about.port}`;
			const strict = speak({ url: `${url}/strict`, headers: token, tls });
			await strict.opened;
			const large = "ä灯🚀".repeat(1000);
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
			const pieces = speak({ url: `${url}/pieces?bytes=16384&step=500&ping`, tls });
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
			if (!about) return;
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
		title: "wss: refuses a certificate of a stranger, and a name that is not in it",
		async run(check) {
			const about = await aboutTls(check);
			if (!about) return;
			const stranger = await speak({ url: `wss://localhost:${about.port}/echo`, tls: tlsWith(about.other) }).closed;
			check.note(stranger);
			check.that(stranger.startsWith("TLS failed: "), stranger);
			const name = await speak({
				url: `wss://localhost:${about.port}/echo`,
				tls: { io: TlsSocket, secure: { certificate: bytesOf(about.ca), serverName: "example.com" } },
			}).closed;
			check.note(name);
			check.that(name.startsWith("TLS failed: "), name);
		},
	},
	{
		title: "wss: a record spoiled on the way ends the connection in words",
		async run(check) {
			const about = await aboutTls(check);
			if (!about) return;
			const reason = await speak({ url: `wss://localhost:${about.spoilerPort}/echo`, tls: tlsWith(about.ca) }).closed;
			check.note(reason);
			check.that(reason.startsWith("TLS failed: "), reason);
		},
	},
	brokenTls("close-notify", "closeNotifyPort", "TLS failed: the server refused: alert 0, closed"),
	brokenTls("alert", "alertPort", "TLS failed: the server refused: alert 40, no common cipher"),
	brokenTls("garbage", "garbagePort", "the server does not speak TLS"),
	brokenTls("bad-record", "badRecordPort", "TLS failed: "),
	{
		title: "mqtts: opens, echoes large messages, refuses the certificate of a stranger",
		async run(check) {
			const about = await aboutTls(check);
			if (!about) return;
			const options = {
				endpoint: `mqtts://localhost:${about.mqttsPort}`,
				clientId: "tls",
				username: "/echo",
				publishTopic: "to/peer",
				subscribeTopic: "to/tls",
			};
			const { transport, next, opened } = talk(createMqttTransport({ ...options, tls: tlsWith(about.ca) }));
			await opened;
			for (const text of ["one", "ä灯🚀".repeat(1500), "two"]) transport.send(text);
			check.same(await next(), "one");
			check.that((await next()) === "ä灯🚀".repeat(1500), "the echo differs");
			check.same(await next(), "two");
			transport.close();
			const reason = await talk(createMqttTransport({ ...options, tls: tlsWith(about.other) })).closed;
			check.note(reason);
			check.that(reason.startsWith("TLS failed: "), reason);
		},
	},
];
