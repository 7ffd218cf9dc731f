// The broker that the MQTT transport is tried against: aedes, with a peer behind it that behaves as the client's user name says.

import { createServer } from "node:net";
import { Duplex } from "node:stream";
import { Aedes } from "aedes";
import mqttPacket from "mqtt-packet";
import { behave, createReports, writeInSteps } from "./contract-peers.mjs";

const publication = (topic, payload, more = {}) =>
	mqttPacket.generate({ cmd: "publish", topic, payload, qos: 0, dup: false, retain: false, ...more });
const CONNACK = Buffer.from([0x20, 2, 0, 0]);
const publishHead = (topicBytes, length) => Buffer.from([0x30, ...lengthOf(length), topicBytes >> 8, topicBytes & 255]);
function lengthOf(length) {
	const bytes = [];
	let left = length;
	do {
		bytes.push((left & 127) | (left > 127 ? 128 : 0));
		left >>= 7;
	} while (left > 0);
	return bytes;
}
const SUBACK = (code) => Buffer.from([0x90, 3, 0, 2, code]);

/**
 * Brokers that write bytes of their own; by the client's user name. `connected` comes with the first packet and writes
 * the answer to it, `subscribed` comes with the second.
 */
const RAW = {
	"/refuse-1": { connected: (socket) => socket.write(Buffer.from([0x20, 2, 0, 1])) },
	"/refuse-2": { connected: (socket) => socket.write(Buffer.from([0x20, 2, 0, 2])) },
	"/refuse-4": { connected: (socket) => socket.write(Buffer.from([0x20, 2, 0, 4, 0x30, 3, 0, 1, 0x61])) },
	"/refuse-5": { connected: (socket) => socket.end(Buffer.from([0x20, 2, 0, 5])) },
	"/refuse-99": { connected: (socket) => socket.write(Buffer.from([0x20, 2, 0, 99])) },
	"/http": { connected: (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n") },
	"/nothing": { connected: () => {} },
	"/hang-up": { connected: (socket) => socket.destroy() },
	"/no-suback": { connected: (socket) => socket.write(CONNACK) },
	"/suback-refusal": { connected: (socket) => socket.write(CONNACK), subscribed: (socket) => socket.write(SUBACK(0x80)) },
	"/hang-up-on-subscribe": { connected: (socket) => socket.write(CONNACK), subscribed: (socket) => socket.end() },
	/** As a gateway does: it speaks before it is asked, and never confirms a subscription. */
	"/eager": {
		connected: (socket) => socket.write(Buffer.concat([CONNACK, publication("devices/p2p/x", "first"), publication("devices/p2p/x", "second")])),
	},
	"/empty-messages": {
		connected: (socket) =>
			socket.write(Buffer.concat([CONNACK, publication("t", ""), publication("t", "one"), publication("t", ""), publication("t", "two")])),
	},
	"/retained": {
		connected: (socket) =>
			socket.write(
				Buffer.concat([
					CONNACK,
					publication("t", "reboot", { retain: true }),
					publication("t", "one"),
					publication("x", "reboot"),
					publication("t", "two"),
				]),
			),
	},
	"/qos": {
		connected: (socket) =>
			socket.write(
				Buffer.concat([
					CONNACK,
					publication("t", "one", { qos: 1, messageId: 7 }),
					publication("t", "two", { qos: 2, messageId: 258 }),
					Buffer.from([0x62, 2, 1, 2]),
				]),
			),
		packets: true,
	},
	"/long-topic": { connected: (socket) => socket.write(Buffer.concat([CONNACK, publication("t".repeat(60_000), "one"), publication("t", "two")])) },
	"/useless": {
		connected: (socket) => socket.write(Buffer.concat([CONNACK, Buffer.from([0x40, 2, 0, 1, 0xb0, 2, 0, 1, 0xd0, 0]), publication("t", "one")])),
	},
	"/bad-topic": { connected: (socket) => socket.write(Buffer.concat([CONNACK, publishHead(2, 5), Buffer.from([0xff, 0xfe, 0x61])])) },
	"/topic-past-the-end": { connected: (socket) => socket.write(Buffer.concat([CONNACK, publishHead(200, 5), Buffer.from("abc")])) },
	"/no-topic": { connected: (socket) => socket.write(Buffer.concat([CONNACK, publishHead(0, 5), Buffer.from("abc")])) },
	"/qos-3": { connected: (socket) => socket.write(Buffer.concat([CONNACK, Buffer.from([0x36, 5, 0, 1, 0x61, 0x61, 0x61])])) },
	"/endless-length": { connected: (socket) => socket.write(Buffer.concat([CONNACK, Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 1])])) },
	"/huge-suback": { connected: (socket) => socket.write(Buffer.concat([CONNACK, Buffer.from([0x90, 0xff, 0xff, 0x7f]), Buffer.alloc(4000)])) },
	"/client-packet": { connected: (socket) => socket.write(Buffer.concat([CONNACK, Buffer.from([0x82, 0])])) },
	"/second-connack": { connected: (socket) => socket.write(Buffer.concat([CONNACK, CONNACK])) },
	"/hang-up-in-packet": {
		connected: (socket) => socket.end(Buffer.concat([CONNACK, publication("t", "whole"), publishHead(1, 100), Buffer.from("t half")])),
	},
	"/byte-by-byte": {
		connected: (socket) => {
			socket.setNoDelay(true);
			const bytes = Buffer.concat([CONNACK, publication("topic", "wel"), Buffer.from([0xd0, 0]), publication("topic", "come")]);
			let at = 0;
			const next = () => at < bytes.length && socket.write(bytes.subarray(at, ++at), () => setTimeout(next, 1));
			next();
		},
	},
};

/** Starts the broker on 127.0.0.1. */
export async function startMqttPeer() {
	const reports = createReports();
	const sockets = new Set();
	const broker = new Aedes({ heartbeatInterval: 60_000 });
	await broker.listen?.();
	/** What is known of each client, by its id. */
	const sides = new Map();
	const raws = new WeakMap();
	const connects = [];

	broker.authenticate = (client, username, password, done) => {
		connects.push({ id: client.id, username, password: password?.toString() });
		const socket = raws.get(client.conn);
		if (username === undefined) return done(null, false);
		sides.set(client.id, { socket, path: username });
		done(null, true);
	};
	broker.on("subscribe", ([{ topic }], client) => {
		const known = sides.get(client.id);
		if (!known || known.side) return;
		const { socket, path } = known;
		const publish = (payload, done = () => {}) => broker.publish({ cmd: "publish", topic, payload, qos: 0, dup: false, retain: false }, done);
		let queued = 0;
		let ending = false;
		const side = {
			send(text) {
				queued++;
				publish(Buffer.from(text), () => {
					queued--;
					if (ending && queued === 0) socket.end();
				});
			},
			sendInSteps: (text, step) => writeInSteps(socket, publication(topic, text), step),
			pause: () => socket.pause(),
			resume: () => socket.resume(),
			end() {
				ending = true;
				if (queued === 0) socket.end();
			},
			destroy: () => socket.resetAndDestroy(),
		};
		known.side = side;
		// The event comes before the answer to the subscription.
		setImmediate(() => {
			if (!behave(path, side, reports)) socket.destroy();
		});
	});
	broker.on("publish", (packet, client) => {
		if (client && packet.topic === "to/peer") sides.get(client.id)?.side?.onMessage?.(Buffer.from(packet.payload));
	});

	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on("error", () => {});
		let last = Buffer.alloc(0);
		let conn;
		let raw;
		let id;
		const parser = mqttPacket.parser();
		let packets = 0;
		parser.on("error", () => {});
		parser.on("packet", (packet) => {
			packets++;
			if (packet.cmd === "connect") id = packet.clientId;
			if (packets === 1) {
				raw = RAW[packet.username];
				raw?.connected(socket);
			} else if (raw && packet.cmd === "subscribe") raw.subscribed?.(socket);
			else if (raw?.packets) {
				raw.seen = [...(raw.seen ?? []), `${packet.cmd} ${packet.messageId}`];
				if (raw.seen.length === 3) reports.add(packet.messageId, raw.seen);
			}
		});
		socket.on("data", (data) => {
			parser.parse(data);
			if (raw) return;
			last = Buffer.concat([last, data]).subarray(-2);
			if (!conn) {
				// aedes reads and writes through this, so that the real socket can be paused under it.
				conn = new Duplex({
					read() {},
					write: (bytes, _, done) => (socket.destroyed ? done() : socket.write(bytes, () => done())),
					destroy: (_, done) => {
						socket.end();
						done(null);
					},
				});
				conn.on("error", () => {});
				raws.set(conn, socket);
				broker.handle(conn);
			}
			conn.push(data);
		});
		socket.on("close", () => {
			sockets.delete(socket);
			conn?.push(null);
			conn?.destroy();
			sides.get(id)?.side?.onEnd?.(last[0] === 0xe0 && last[1] === 0);
			sides.delete(id);
		});
	});
	const port = await new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", () => resolve(server.address().port));
	});
	return {
		port,
		/** What clients said in their CONNECT. */
		connects,
		reports,
		async close() {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
			await new Promise((resolve) => broker.close(resolve));
		},
	};
}
