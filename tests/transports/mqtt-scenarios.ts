// What the MQTT transport promises: the contract of all transports against a real broker, and what bad brokers do to it.

import { parseMqttEndpoint } from "net/address";
import Timer from "timer";
import { createMqttTransport, type MqttOptions } from "transports/mqtt";
import type { Scenario } from "../support/scenario.js";
import { later, talk } from "./talk.js";
import { transportContract } from "./transport-contract.js";

/** Each bad broker with the reason that must be given. */
const ENDS: readonly (readonly [path: string, reason: string])[] = [
	["/refuse-1", "the broker refused: 1 unacceptable protocol version"],
	["/refuse-2", "the broker refused: 2 client identifier rejected"],
	["/refuse-4", "the broker refused: 4 bad user name or password"],
	["/refuse-5", "the broker refused: 5 not authorised"],
	["/refuse-99", "the broker refused: 99 unknown code"],
	["/http", "the server does not speak MQTT: it begins with byte 72"],
	["/hang-up", "the broker ended the connection without an answer"],
	["/suback-refusal", "the broker refused the subscription to to/device"],
	["/hang-up-on-subscribe", "the broker ended the connection instead of confirming the subscription"],
	["/topic-past-the-end", "the broker broke the protocol: a message without a topic"],
	["/no-topic", "the broker broke the protocol: a message without a topic"],
	["/qos-3", "the broker broke the protocol: a malformed message"],
	["/endless-length", "the broker broke the protocol: a length of more than four bytes"],
	["/huge-suback", "the broker broke the protocol: an answer to SUBSCRIBE of 2097151 bytes"],
	["/client-packet", "the broker broke the protocol: a packet of kind 8"],
	["/second-connack", "the broker broke the protocol: a second answer to CONNECT"],
];

/** @param portOf where the broker listens */
export function mqttScenarios(portOf: () => number): readonly Scenario[] {
	let count = 0;
	const to = (path: string, log?: (line: string) => void, more: Partial<Omit<MqttOptions, "timers">> = {}) =>
		createMqttTransport({
			timers: Timer,
			address: parseMqttEndpoint(`127.0.0.1:${portOf()}`),
			clientId: `device-${++count}`,
			username: path,
			password: "secret",
			publishTopic: "to/peer",
			// One of its own for each, since a broker has no paths.
			subscribeTopic: `to/device-${count}`,
			log,
			...more,
		});
	return [
		...transportContract((_, path, log) => to(path, log), { closedWords: "the connection was lost" }),
		...ENDS.map(
			([path, reason]): Scenario => ({
				title: `${path}: ends with "${reason}"`,
				async run(check) {
					check.same(await talk(to(path, undefined, { subscribeTopic: "to/device" })).closed, reason);
				},
			}),
		),
		{
			title: "gives up on a broker that does not answer within 10 s",
			async run(check) {
				const reasons = await Promise.all([talk(to("/nothing")).closed, talk(to("/no-suback")).closed]);
				check.same(reasons, [
					"no connection within 10 s, while waiting for the broker's answer",
					"no connection within 10 s, while waiting for the subscription",
				]);
			},
		},
		{
			title: "/bad-topic: ends in words",
			async run(check) {
				const reason = await talk(to("/bad-topic")).closed;
				check.note(reason);
				check.that(reason.length > 0 && !reason.includes("silent"), reason);
			},
		},
		{
			title: "takes what comes before the subscription is confirmed",
			async run(check) {
				const { transport, next, opened } = talk(to("/eager", undefined, { subscribeTopic: "devices/p2p/x" }));
				await opened;
				check.same([await next(), await next()], ["first", "second"]);
				transport.close();
			},
		},
		{
			title: "works without a subscription",
			async run(check) {
				const { transport, next } = talk(to("/eager", undefined, { subscribeTopic: undefined }));
				check.same([await next(), await next()], ["first", "second"]);
				transport.close();
			},
		},
		...(["/empty-messages", "/qos"] as const).map(
			(path): Scenario => ({
				title: `${path}: delivers the messages that have content`,
				async run(check) {
					const { transport, next } = talk(to(path, undefined, { subscribeTopic: "t" }));
					check.same([await next(), await next()], ["one", "two"]);
					await later(20);
					transport.close();
				},
			}),
		),
		{
			title: "executes neither a retained message nor one on another topic",
			async run(check) {
				const log: string[] = [];
				const { transport, next } = talk(to("/retained", (line) => log.push(line), { subscribeTopic: "t" }));
				check.same([await next(), await next()], ["one", "two"]);
				check.same(log, ["a retained message was dropped", "a message on another topic than the subscribed one was dropped"]);
				transport.close();
			},
		},
		{
			title: "drops a message on a topic of 60000 bytes with a line in the log",
			async run(check) {
				const log: string[] = [];
				const { transport, next } = talk(to("/long-topic", (line) => log.push(line), { subscribeTopic: undefined }));
				check.same(await next(), "two");
				check.same(log, ["a message on a topic of 60000 bytes was dropped: the limit is 512"]);
				transport.close();
			},
		},
		{
			title: "passes over acknowledgements of nothing",
			async run(check) {
				const { transport, next } = talk(to("/useless", undefined, { subscribeTopic: "t" }));
				check.same(await next(), "one");
				transport.close();
			},
		},
		{
			title: "puts packets together that come byte by byte",
			async run(check) {
				const { transport, next } = talk(to("/byte-by-byte", undefined, { subscribeTopic: "topic" }));
				check.same([await next(), await next()], ["wel", "come"]);
				transport.close();
			},
		},
		{
			title: "delivers what was whole when the connection is cut in a packet",
			async run(check) {
				const { closed, received } = talk(to("/hang-up-in-packet", undefined, { subscribeTopic: "t" }));
				check.same(await closed, "the connection was lost");
				check.same(received, ["whole"]);
			},
		},
		{
			title: "sends a CONNECT larger than the socket's buffer",
			async run(check) {
				const { transport, next, opened } = talk(to("/echo", undefined, { password: "s".repeat(4000) }));
				await opened;
				transport.send("let in");
				check.same(await next(), "let in");
				transport.close();
			},
		},
		{
			title: "is refused without a user name, and says so",
			async run(check) {
				const reason = await talk(to("/echo", undefined, { username: undefined, password: undefined })).closed;
				check.same(reason, "the broker refused: 5 not authorised");
			},
		},
		{
			title: "says that it could not connect",
			async run(check) {
				check.same(
					await talk(to("/echo", undefined, { address: parseMqttEndpoint("mqtt://127.0.0.1:1") })).closed,
					"could not connect to 127.0.0.1:1",
				);
			},
		},
	];
}
