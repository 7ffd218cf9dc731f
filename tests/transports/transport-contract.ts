// What every transport promises, whatever carries it; the peer behaves as its path says, as in peer-server.mjs.

import { CONGESTED_BYTES, type Connect, MAX_QUEUED_BYTES } from "transports/transport";
import type { Check, Scenario } from "../support/scenario.js";
import { later, talk } from "./talk.js";

/** Connects to a peer that behaves as its path says; `log` takes the transport's own lines. */
export type ConnectTo = (check: Check, path: string, log?: (line: string) => void) => Connect;

/**
 * The suite for one transport.
 * @param traits `largestBytes` is what the peer of "/too-large" sends in one message; `closedWords` is the reason after the
 * peer of "/close" has taken its leave, `lostReason` after a peer has gone without one
 */
export function transportContract(
	connectTo: ConnectTo,
	{ largestBytes = 200_000, closedWords = "closed by the peer: 1000 normal closure", lostReason = "the connection was lost" } = {},
): readonly Scenario[] {
	return [
		{
			title: "tells of nothing before connect has returned",
			async run(check) {
				let returned = false;
				let early = false;
				await new Promise<void>((resolve) => {
					const transport = connectTo(
						check,
						"/last-words",
					)({
						onOpen: () => {
							early ||= !returned;
						},
						onMessage: () => {
							early ||= !returned;
						},
						onClose: () => {
							early ||= !returned;
							resolve();
						},
					});
					returned = true;
					void transport;
				});
				check.that(!early, "a callback came too early");
			},
		},
		{
			title: "opens and echoes, in order",
			async run(check) {
				const { transport, next, opened } = talk(connectTo(check, "/echo"));
				await opened;
				for (let i = 0; i < 20; i++) transport.send(`message ${i} ä灯🚀`);
				for (let i = 0; i < 20; i++) check.same(await next(), `message ${i} ä灯🚀`);
				transport.close();
			},
		},
		{
			title: "sends 110 KB as one message, then an empty one, then one byte, and is congested meanwhile",
			async run(check) {
				const { transport, next, opened } = talk(connectTo(check, "/digest"));
				await opened;
				transport.send("灯ab🚀ä".repeat(10_000));
				check.that(transport.congested, "it should be congested now");
				transport.send("");
				transport.send("x");
				check.same(JSON.parse(await next()), {
					binary: false,
					bytes: 110_000,
					sha256: "88104a9d49d4bc13835a771c7b2368fbbd1f1e4d36c317072440d8d62cde2959",
				});
				check.same(JSON.parse(await next()).bytes, 0);
				check.same(JSON.parse(await next()).bytes, 1);
				check.that(!transport.congested, "it should not be congested any more");
				transport.close();
			},
		},
		{
			title: "sends a message in many texts as one, between others",
			async run(check) {
				const { transport, next, opened } = talk(connectTo(check, "/echo"));
				await opened;
				const texts = Array.from({ length: 28 }, (_, i) => `${i} ${"ä灯🚀a".repeat(i)}`);
				const whole = texts.join("");
				const message = {
					head: texts[0] ?? "",
					texts: texts.slice(1, -1),
					tail: texts[27] ?? "",
					byteLength: ArrayBuffer.fromString(whole).byteLength,
				};
				transport.send("before");
				for (let i = 0; i < 3; i++) transport.sendTexts(message);
				transport.send("after");
				check.same(await next(), "before");
				for (let i = 0; i < 3; i++) check.that((await next()) === whole, "the texts came as another message");
				check.same(await next(), "after");
				transport.close();
			},
		},
		{
			title: "puts pieces together again, also where a character is cut in two",
			async run(check) {
				const echo = talk(connectTo(check, "/digest"));
				await echo.opened;
				for (const [bytes, step] of [
					[4096, 777],
					[4096, 1],
					[4096, 20000],
					[4000, 125],
					[4000, 126],
				] as const) {
					const one = talk(connectTo(check, `/pieces?bytes=${bytes}&step=${step}${step === 1 ? "" : "&ping"}`));
					const text = await one.next();
					one.transport.close();
					check.that(text.startsWith("aä灯🚀aä灯🚀"), "the beginning differs");
					echo.transport.send(text);
					check.same(JSON.parse(await echo.next()).bytes, bytes);
				}
				echo.transport.close();
			},
		},
		{
			title: "does not deliver messages over the limit, and delivers the next",
			async run(check) {
				const log: string[] = [];
				const { transport, next } = talk(connectTo(check, "/too-large", (line) => log.push(line)));
				check.same(await next(), "before");
				check.same(await next(), "after");
				check.same(log, [
					`a message of ${largestBytes} bytes was dropped: the limit is 4096`,
					"a message of 20000 bytes was dropped: the limit is 4096",
				]);
				transport.close();
			},
		},
		{
			title: "delivers 4096 bytes and drops 4097",
			async run(check) {
				const log: string[] = [];
				const { transport, next } = talk(connectTo(check, "/two-sizes?bytes=4097&bytes=4096", (line) => log.push(line)));
				check.that((await next()).length > 1000, "too short");
				check.same(log, ["a message of 4097 bytes was dropped: the limit is 4096"]);
				transport.close();
			},
		},
		...(
			[
				["answers 100 pipelined requests of a slow reader: all, in order", 100, 4000],
				["delivers nothing while congested, and goes on afterwards", 12, 20_000],
			] as const
		).map(
			([title, count, bytes]): Scenario => ({
				title,
				async run(check) {
					let delivered = 0;
					let wasCongested = false;
					let wrongDelivery = false;
					const answer = "a".repeat(bytes);
					const end = await new Promise<string>((resolve) => {
						const { closed } = talk(connectTo(check, `/slow-reader?count=${count}&wait=1000`), (text, transport) => {
							if (!text.startsWith("{")) return resolve(text);
							wrongDelivery ||= transport.congested;
							delivered++;
							const { id } = JSON.parse(text);
							// As a session does: the answer comes some promises later.
							Promise.resolve()
								.then(() => {})
								.then(() => {
									transport.send(JSON.stringify({ id, answer }));
									wasCongested ||= transport.congested;
								});
						});
						closed.then(resolve);
					});
					check.same(end, "all answers came");
					check.same(delivered, count);
					check.that(!wrongDelivery, "a message was delivered while congested");
					check.that(wasCongested || bytes < CONGESTED_BYTES, "it was never congested");
				},
			}),
		),
		{
			title: "gives up on a peer that never reads when too much waits",
			async run(check) {
				const { transport, next, closed } = talk(connectTo(check, "/never-reads"));
				await next();
				for (let i = 0; i < 3000 && !(await Promise.race([closed, undefined])); i++) {
					transport.send("x".repeat(8000));
					if (i % 10 === 0) await later(1);
				}
				const reason = await closed;
				check.that(reason.startsWith("the peer does not read: "), reason);
				check.that(Number.parseInt(reason.slice(24), 10) > MAX_QUEUED_BYTES, reason);
			},
		},
		{
			title: "tells why the peer closed, in words, on one line",
			async run(check) {
				check.same(await talk(connectTo(check, "/close?code=1000")).closed, closedWords);
			},
		},
		{
			title: "delivers what came before the end, then tells of it, once",
			async run(check) {
				let ends = 0;
				const seen: string[] = [];
				await new Promise<void>((resolve) => {
					const inner = talk(connectTo(check, "/last-words"));
					inner.closed.then(() => {
						ends++;
						seen.push(...inner.received);
						inner.transport.close();
						resolve();
					});
				});
				await later(100);
				check.same(seen, ["one", "two", "three"]);
				check.same(ends, 1);
			},
		},
		{
			title: "tells of an abrupt end, and ignores what is sent after it",
			async run(check) {
				const { transport, closed, opened } = talk(connectTo(check, "/terminate"));
				await opened;
				transport.send("go");
				check.same(await closed, lostReason);
				transport.send("nobody hears");
				transport.close();
			},
		},
		{
			title: "tells of a peer that goes away while much is on the way to it",
			async run(check) {
				const { transport, closed, opened } = talk(connectTo(check, "/terminate"));
				await opened;
				transport.send("go");
				transport.send("x".repeat(100_000));
				const reason = await closed;
				check.that(reason.startsWith("the connection was lost") || reason === lostReason, reason);
			},
		},
		{
			title: "close sends what is queued, is silent, and may be called twice",
			async run(check) {
				const { transport, closed, opened } = talk(connectTo(check, "/watch?key=clean"));
				await opened;
				transport.send("z".repeat(10_000));
				transport.send("last");
				transport.close();
				transport.close();
				transport.send("too late");
				const report = talk(connectTo(check, "/report?key=clean"));
				check.same(JSON.parse(await report.next()), { code: 1000, reason: "", messages: [10_000, 4] });
				report.transport.close();
				check.same(await Promise.race([closed, later(300)]), undefined);
			},
		},
		{
			title: "close before the opening is silent",
			async run(check) {
				const { transport, closed } = talk(connectTo(check, "/echo"));
				transport.close();
				transport.close();
				transport.send("nothing");
				check.same(await Promise.race([closed, later(300)]), undefined);
			},
		},
		{
			title: "close from within a callback is silent",
			async run(check) {
				const { transport, closed, opened, received } = talk(connectTo(check, "/echo"), () => transport.close());
				await opened;
				transport.send("one");
				transport.send("two");
				check.same(await Promise.race([closed, later(300)]), undefined);
				check.same(received, ["one"]);
			},
		},
		{
			title: "survives callbacks that throw",
			async run(check) {
				const log: string[] = [];
				let rounds = 0;
				await new Promise<void>((resolve) => {
					const transport = connectTo(check, "/echo", (line) => log.push(line))({
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
	];
}
