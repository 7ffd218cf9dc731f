// The server's end of a WebSocket in a page, against a real client over a pair of streams.

import { Duplex } from "node:stream";
import { afterEach, describe, expect, test } from "@jest/globals";
import { WebSocket } from "ws";
import { ServerSocket } from "../../hub/page/live/server-socket.js";

const clients: WebSocket[] = [];
afterEach(() => {
	for (const client of clients.splice(0)) client.terminate();
});

/** A client and the socket; what goes to the socket comes in pieces of `size` bytes. */
function connect(size = 1024) {
	const texts: string[] = [];
	const ends: string[] = [];
	let headers: ReadonlyMap<string, string> = new Map();
	const duplex = new Duplex({
		read() {},
		write(chunk: Buffer, _encoding, done) {
			for (let at = 0; at < chunk.length; at += size) socket.receive(chunk.subarray(at, at + size));
			done();
		},
	});
	const socket = new ServerSocket({
		write: (bytes) => duplex.push(Buffer.from(bytes)),
		onOpen: (given) => {
			headers = given;
		},
		onText: (text) => texts.push(text),
		onClose: (reason) => {
			ends.push(reason);
			duplex.push(null);
		},
	});
	const client = new WebSocket("ws://page.local/", { createConnection: () => duplex, headers: { "Client-Id": "me" }, perMessageDeflate: false });
	clients.push(client);
	return { client, socket, texts, ends, headers: () => headers, open: once(client, "open") };
}

function once(client: WebSocket, event: string): Promise<unknown[]> {
	return new Promise((resolve) => client.once(event, (...values: unknown[]) => resolve(values)));
}

describe("the server's end", () => {
	test("takes messages in pieces and in fragments, and sends short and long ones", async () => {
		for (const size of [1, 7, 1024]) {
			const { client, socket, texts, headers, open } = connect(size);
			await open;
			expect(headers().get("client-id")).toBe("me");
			client.send("小", { fin: false });
			client.send("智", { fin: true });
			client.send("x".repeat(300));
			expect(texts).toEqual(["小智", "x".repeat(300)]);
			for (const text of ["", "y".repeat(125), "y".repeat(126), "小".repeat(30_000)]) {
				const heard = once(client, "message");
				socket.send(text);
				expect(String((await heard)[0])).toBe(text);
			}
		}
	});

	test("answers a ping, and leaves audio alone", async () => {
		const { client, texts, open } = connect();
		await open;
		const pong = once(client, "pong");
		client.send(Buffer.from([1, 2]));
		client.ping("now");
		expect([String((await pong)[0]), texts]).toEqual(["now", []]);
	});

	test("ends once, whoever ends it, and at a message without end", async () => {
		const leaving = connect();
		await leaving.open;
		leaving.client.close(1000);
		await once(leaving.client, "close");
		expect(leaving.ends).toEqual(["the device closed the connection"]);

		const sentAway = connect();
		await sentAway.open;
		const closed = once(sentAway.client, "close");
		sentAway.socket.close(1008, "no hello");
		sentAway.socket.closed("again");
		expect([(await closed)[0], sentAway.ends]).toEqual([1008, ["no hello"]]);

		const endless = connect();
		await endless.open;
		const end = once(endless.client, "close");
		for (let sent = 0; sent < 10; sent++) endless.client.send("x".repeat(10_000), { fin: false });
		expect([(await end)[0], endless.texts]).toEqual([1009, []]);
	});
});
