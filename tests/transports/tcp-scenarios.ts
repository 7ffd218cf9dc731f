// What the TCP transport promises: the contract of all transports, and what belongs to marks in a stream.

import { parseTcpAddress } from "net/address";
import Timer from "timer";
import { createTcpTransport } from "transports/tcp";
import type { Connect } from "transports/transport";
import type { Scenario } from "../support/scenario.js";
import { talk } from "./talk.js";
import { transportContract } from "./transport-contract.js";

/** The end of a peer that has sent no message. */
const NO_ANSWER = "the server ended the connection without an answer";

/** The peer wants the path as the first message; those who use the transport do not notice. */
function connectTo(port: number, path: string, log?: (line: string) => void): Connect {
	const connect = createTcpTransport({ timers: Timer, address: parseTcpAddress(`tcp://127.0.0.1:${port}`), head: "##START", tail: "##END", log });
	return (callbacks) => {
		const transport = connect({
			...callbacks,
			onOpen() {
				transport.send(path);
				callbacks.onOpen();
			},
		});
		return transport;
	};
}

/** @param portOf where the peer listens */
export function tcpScenarios(portOf: () => number): readonly Scenario[] {
	const to = (path: string, log?: (line: string) => void) => connectTo(portOf(), path, log);
	return [
		...transportContract((_, path, log) => to(path, log), { closedWords: NO_ANSWER, lostReason: NO_ANSWER }),
		{
			title: "passes over what stands between messages, with one line in the log, and over empty ones",
			async run(check) {
				const log: string[] = [];
				const { transport, next } = talk(to("/stray-bytes", (line) => log.push(line)));
				check.same([await next(), await next(), await next()], ["one", "#two#", "three"]);
				check.that(log.length === 1 && `${log[0]}`.startsWith('bytes outside of messages are ignored: "##STAR##'), log.join());
				transport.close();
			},
		},
		{
			title: "ends the connection over a message that never ends",
			async run(check) {
				const { closed } = talk(to("/endless"));
				const reason = await closed;
				check.that(reason.startsWith("a message that does not end after "), reason);
			},
		},
		{
			title: "delivers what was whole when the connection is cut in a message",
			async run(check) {
				const { closed, received } = talk(to("/cut-in-frame"));
				check.same(await closed, "the connection was lost");
				check.same(received, ["whole"]);
			},
		},
		{
			title: "says what a server of another protocol sends",
			async run(check) {
				const log: string[] = [];
				check.same(
					await talk(to("/another-protocol", (line) => log.push(line))).closed,
					'the server does not speak this protocol: "HTTP/1.1 400 Bad Request"',
				);
				check.same(log, ['bytes outside of messages are ignored: "HTTP/1.1 400 Bad Request"']);
			},
		},
		{
			title: "does not send a message with the end mark inside",
			async run(check) {
				const log: string[] = [];
				const { transport, next, opened } = talk(to("/echo", (line) => log.push(line)));
				await opened;
				transport.send("a##ENDb");
				transport.send("###");
				check.same(await next(), "###");
				check.same(log, ["a message with ##END inside was not sent"]);
				transport.close();
			},
		},
		{
			title: "says that it could not connect",
			async run(check) {
				const connect = createTcpTransport({ timers: Timer, address: parseTcpAddress("tcp://127.0.0.1:1"), head: "##START", tail: "##END" });
				check.same(await talk(connect).closed, "could not connect to 127.0.0.1:1");
			},
		},
	];
}
