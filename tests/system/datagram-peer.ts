// The other side of the datagram scenarios: time servers good and bad, and a client of the device's name server. The device says
// by a datagram to the first port what it wants, in JSON.

import { Resolver } from "node:dns/promises";
import { freeUdpPort, UdpPeer } from "../support/udp-peer.js";
import type { Wishes } from "./datagram-scenarios.js";

/** What the good time server says, and what others say instead. In seconds since 1970. */
export const TRUE_TIME_S = 1_760_000_000;
const WRONG_TIME_S = 1_700_000_000;
const EPOCH_OFFSET_S = 2_208_988_800;
const FLOOD = 60;

/** An answer to the question as a server gives it, but for what is changed. */
export function timeReply(question: Buffer, change: (reply: Buffer) => void = () => {}): Buffer {
	const reply = Buffer.alloc(48);
	reply[0] = 0x24;
	reply[1] = 2;
	question.copy(reply, 24, 40, 48);
	for (const at of [16, 32, 40]) reply.writeUInt32BE(TRUE_TIME_S + EPOCH_OFFSET_S, at);
	change(reply);
	return reply;
}

/** One of those answers that tell whoever asks to go away, or something else about the server. */
export function kiss(question: Buffer, code: string): Buffer {
	return timeReply(question, (reply) => {
		reply[0] = 0xe4;
		reply[1] = 0;
		reply.write(code, 12, "latin1");
	});
}

const wrong = (reply: Buffer) => reply.writeUInt32BE(WRONG_TIME_S + EPOCH_OFFSET_S, 40);
const stranger = (question: Buffer) =>
	timeReply(question, (reply) => {
		wrong(reply);
		reply.writeUInt32BE((reply.readUInt32BE(24) ^ 1) >>> 0, 24);
	});

/** What a time server sends back, given all questions so far. */
type TimeServer = (questions: readonly Buffer[]) => readonly Buffer[];

const last = (questions: readonly Buffer[]) => questions.at(-1) as Buffer;

const TIME_SERVERS: { readonly [name: string]: TimeServer } = {
	good: (questions) => [timeReply(last(questions))],
	silent: () => [],
	late: ([first, ...more]) => (more.length ? [timeReply(first as Buffer, wrong), timeReply(last(more))] : []),
	garbage: (questions) => [
		Buffer.alloc(0),
		Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"),
		Buffer.alloc(47, 0x24),
		Buffer.alloc(48, 0xff),
		Buffer.alloc(1400, 7),
		last(questions),
		timeReply(last(questions), (reply) => reply.writeUInt8(0xe4, 0) && wrong(reply)),
		timeReply(last(questions), (reply) => reply.writeUInt8(16, 1) && wrong(reply)),
		timeReply(last(questions), (reply) => reply.writeUInt32BE(0, 40)),
		timeReply(last(questions)),
	],
	strangers: (questions) => [...Array.from({ length: FLOOD }, () => stranger(last(questions))), timeReply(last(questions))],
	deny: (questions) => [kiss(last(questions), "DENY")],
	starting: (questions) => [questions.length === 1 ? kiss(last(questions), "INIT") : timeReply(last(questions))],
};

/** A question for a name, as a phone asks it. */
export function nameQuestion(name: string, { id = 0x1234, type = 1 } = {}): Buffer {
	const head = Buffer.from("000001000001000000000000", "hex");
	head.writeUInt16BE(id);
	const labels = name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
	return Buffer.concat([head, ...labels, Buffer.from([0, 0, type, 0, 1])]);
}

/** Starts it. */
export async function startDatagramPeer(): Promise<{ port: number; close(): Promise<void> }> {
	const control = await UdpPeer.open();
	const open: UdpPeer[] = [control];
	const ports: { [name: string]: number } = {};
	const questions: { [name: string]: Buffer[] } = {};
	for (const [name, server] of Object.entries(TIME_SERVERS)) {
		const peer = await UdpPeer.open();
		open.push(peer);
		ports[name] = peer.port;
		const asked: Buffer[] = [];
		questions[name] = asked;
		serve(peer, async ({ bytes, port }) => {
			asked.push(bytes);
			for (const reply of server(asked)) await peer.send(reply, port);
		});
	}
	const answers: { readonly [W in keyof Wishes]: (request: Wishes[W][0]) => Promise<Wishes[W][1]> } = {
		timeServers: async () => ports,
		asked: async (name) => questions[name]?.length ?? 0,
		freePort: freeUdpPort,
		resolve: async ({ port, type, names }) => {
			const resolver = new Resolver({ timeout: 10_000, tries: 1 });
			resolver.setServers([`127.0.0.1:${port}`]);
			return Promise.all(
				names.map((name) =>
					resolver.resolve(name, type).then(
						(found) => String(found),
						({ code }) => String(code),
					),
				),
			);
		},
		findServers: async ({ port, packets }) => {
			const peer = await UdpPeer.open();
			for (const packet of packets) await peer.send(Buffer.from(packet, "hex"), port);
			const question = nameQuestion("_mcp._tcp.local", { type: 12 });
			// An answer to this socket, not to the network.
			question.writeUInt16BE(0x8001, question.length - 2);
			await peer.send(question, port);
			const { bytes } = await peer.next();
			await peer.close();
			return bytes.toString("latin1");
		},
		post: async ({ port, packets }) => {
			for (const packet of packets) await control.send(Buffer.from(packet, "hex"), port);
			return true;
		},
		isFree: async (port) => {
			const peer = await UdpPeer.open(port).catch(() => undefined);
			await peer?.close();
			return peer !== undefined;
		},
		send: async ({ port, packets }) => {
			const peer = await UdpPeer.open();
			for (const packet of packets) await peer.send(Buffer.from(packet, "hex"), port);
			await peer.send(nameQuestion("the.end", { id: 0xfffe }), port);
			let first: string | undefined;
			for (let answers = 0; ; answers++) {
				const { bytes } = await peer.next();
				if (bytes.readUInt16BE() === 0xfffe) {
					await peer.close();
					return { answers, first };
				}
				first ??= bytes.toString("hex");
			}
		},
	};
	serve(control, async ({ bytes, port }) => {
		const [wish, request] = JSON.parse(bytes.toString()) as [keyof Wishes, never];
		await control.send(Buffer.from(JSON.stringify(await answers[wish](request))), port);
	});
	return {
		port: control.port,
		async close() {
			for (const peer of open) await peer.close();
		},
	};
}

async function serve(peer: UdpPeer, act: (datagram: Awaited<ReturnType<UdpPeer["next"]>>) => Promise<void>): Promise<never> {
	for (;;) await act(await peer.next());
}
