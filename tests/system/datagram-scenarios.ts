// What the clock and the answerer of names promise over real UDP, on any machine.

import UdpSocket from "embedded:io/socket/udp";
import { CaptiveDns } from "setup/captive-dns";
import { SntpClient } from "system/sntp";
import Time from "time";
import Timer from "timer";
import type { Check, Scenario } from "../support/scenario.js";

const ADDRESS = "192.168.4.1";
/** The minute of the time that the peer's servers give. */
const TRUE_MINUTE_S = 1_759_999_980;

/** What the device may ask its peer for. */
export interface Wishes {
	/** The ports of the time servers, by name. */
	timeServers: [request: true, reply: { [name: string]: number }];
	/** How often a time server has been asked. */
	asked: [request: string, reply: number];
	/** A port that nobody has. */
	freePort: [request: true, reply: number];
	/** Have the names looked up at the device's server: what each gives, or the error's code. */
	resolve: [request: { port: number; type: "A" | "AAAA" | "TXT"; names: string[] }, reply: string[]];
	/** Have packets sent there, in hexadecimal, and after them a good question: what came back until its answer, how many and the first. */
	send: [request: { port: number; packets: string[] }, reply: { answers: number; first: string | undefined }];
	/** Have packets sent there, in hexadecimal, and the network asked for MCP servers: the answer, in characters of one byte. */
	findServers: [request: { port: number; packets: string[] }, reply: string];
	/** Have packets sent there, in hexadecimal. */
	post: [request: { port: number; packets: string[] }, reply: true];
	/** Can the port be had? */
	isFree: [port: number, reply: boolean];
}

const Udp = UdpSocket as unknown as new (options: {
	onReadable(): void;
}) => {
	read(): ArrayBuffer;
	write(packet: ArrayBufferLike, address: string, port: number): void;
	close(): void;
};

/** Asks the peer for something. */
export function ask<W extends keyof Wishes>({ port }: Check, wish: W, request: Wishes[W][0]): Promise<Wishes[W][1]> {
	return new Promise((resolve) => {
		const udp = new Udp({
			onReadable() {
				const reply = udp.read();
				udp.close();
				resolve(JSON.parse(String.fromArrayBuffer(reply)));
			},
		});
		udp.write(ArrayBuffer.fromString(JSON.stringify([wish, request])), "127.0.0.1", port);
	});
}

/** What the device's clock says, to the minute, in seconds since 1970. */
const minute = () => Math.floor(Date.now() / 60_000) * 60;

/** Lets one of the peer's time servers be asked. @returns what it ended with */
async function askTime(check: Check, name: string, host = "127.0.0.1"): Promise<string | undefined> {
	const server = `${host}:${(await ask(check, "timeServers", true))[name]}`;
	Time.set(0);
	const follows = minute() === 0;
	const problem = await new Promise<string | undefined>((resolve) => new SntpClient({ server, timers: Timer, onDone: resolve }));
	if (follows) check.same(minute(), problem === undefined ? TRUE_MINUTE_S : 0, "the clock");
	else check.note("the time of day of this machine cannot be set");
	return problem;
}

function clockScenario(title: string, server: string, problem: string | undefined, asked: number): Scenario {
	return {
		title,
		async run(check) {
			check.same(await askTime(check, server), problem);
			check.same(await ask(check, "asked", server), asked, "questions");
		},
	};
}

/** Runs with an answerer of names, and ends it. */
async function withNames(check: Check, run: (port: number, log: readonly string[]) => Promise<void>, given?: number): Promise<void> {
	const port = given ?? (await ask(check, "freePort", true));
	const log: string[] = [];
	const dns = new CaptiveDns({ address: ADDRESS, port, log: (line) => log.push(line) });
	try {
		await run(port, log);
	} finally {
		dns.close();
		dns.close();
	}
}

const QUESTION = "1234010000010000000000000765786d61706c6503636f6d0000010001";
const ANSWER = "1234850000010001000000000765786d61706c6503636f6d0000010001c00c000100010000000a0004c0a80401";

function nameScenario(title: string, run: (check: Check, port: number) => Promise<void>): Scenario {
	return {
		title,
		run: (check) =>
			withNames(check, async (port, log) => {
				await run(check, port);
				check.same(log, []);
			}),
	};
}

/** Numbers that look random and are the same at each run. */
function noise(): () => number {
	let state = 12_345;
	return () => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
		return state >> 16;
	};
}

export const datagramScenarios: readonly Scenario[] = [
	clockScenario("the clock is set by a server's answer, which is asked once", "good", undefined, 1),
	clockScenario("an answer to the question before is too late, the one to this question is taken", "late", undefined, 2),
	clockScenario("garbage and servers without a time are passed over", "garbage", undefined, 1),
	clockScenario("answers to questions that were never asked are passed over, many of them too", "strangers", undefined, 1),
	clockScenario("a server that refuses is asked no more", "deny", "the time server refuses: DENY", 1),
	clockScenario("a server that is still starting is asked again", "starting", undefined, 2),
	clockScenario("a silent server is asked four times", "silent", "the time server does not answer", 4),
	{
		title: "a time server may be given by its name",
		async run(check) {
			check.same(await askTime(check, "good", "localhost"), undefined);
		},
	},
	nameScenario("every name has the device's address", async (check, port) => {
		const names = ["connectivitycheck.gstatic.com", "captive.apple.com", "www.msftconnecttest.com", "a", `${"x".repeat(63)}.example`];
		check.same(
			await ask(check, "resolve", { port, type: "A", names }),
			names.map(() => ADDRESS),
		);
	}),
	nameScenario("there is no IPv6 address and no text for a name, and that is said at once", async (check, port) => {
		check.same(await ask(check, "resolve", { port, type: "AAAA", names: ["example.com"] }), ["ENODATA"]);
		check.same(await ask(check, "resolve", { port, type: "TXT", names: ["example.com"] }), ["ENODATA"]);
	}),
	nameScenario("many questions at once are all answered", async (check, port) => {
		const names = Array.from({ length: 50 }, (_, i) => `host-${i}.example`);
		check.same(
			await ask(check, "resolve", { port, type: "A", names }),
			names.map(() => ADDRESS),
		);
	}),
	nameScenario("a question is answered byte for byte as DNS wants it", async (check, port) => {
		check.same(await ask(check, "send", { port, packets: [QUESTION] }), { answers: 1, first: ANSWER });
	}),
	nameScenario("the beginnings of a question, and packets that are none, are not answered", async (check, port) => {
		const packets = Array.from({ length: QUESTION.length / 2 }, (_, i) => QUESTION.slice(0, i * 2));
		const two = `${QUESTION.slice(0, 8)}0002${QUESTION.slice(12)}${QUESTION.slice(24)}`;
		packets.push(ANSWER, two, `${QUESTION.slice(0, 24)}c00c00010001`, `${QUESTION}${"00".repeat(600)}`);
		// Asked for in pieces: what the device says has to fit one datagram.
		for (let i = 0; i < packets.length; i += 12) check.same(await ask(check, "send", { port, packets: packets.slice(i, i + 12) }), { answers: 0 });
	}),
	nameScenario("noise does not keep the next question from its answer", async (check, port) => {
		const next = noise();
		for (let round = 0; round < 4; round++) {
			const packets = Array.from({ length: 15 }, () => {
				const start = next() % 2 ? QUESTION.slice(0, 24) : "";
				let rest = "";
				for (let i = next() % 30; i > 0; i--) rest += (256 + (next() % 256)).toString(16).slice(1);
				return start + rest;
			});
			check.that((await ask(check, "send", { port, packets })).answers <= 15, "more answers than packets");
		}
	}),
	{
		title: "its port is free again after its end",
		async run(check) {
			const port = await ask(check, "freePort", true);
			for (let life = 0; life < 2; life++)
				await withNames(check, async () => check.same(await ask(check, "resolve", { port, type: "A", names: ["a.b"] }), [ADDRESS]), port);
		},
	},
	{
		title: "a port that is taken costs a line in the log",
		async run(check) {
			const taken = (await ask(check, "timeServers", true)).good;
			await withNames(
				check,
				async (_, log) => check.that(log.length === 1 && log[0]?.startsWith("setup: names are not answered: bind failed") === true, log.join()),
				taken,
			);
		},
	},
];
