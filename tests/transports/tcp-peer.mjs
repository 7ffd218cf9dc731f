// The server that the TCP transport is tried against: the first message of a connection is the path that says how it behaves.

import { createServer } from "node:net";
import { behave, createReports, writeInSteps } from "./contract-peers.mjs";

const HEAD = Buffer.from("##START");
const TAIL = Buffer.from("##END");
const frame = (text) => Buffer.concat([HEAD, Buffer.from(text), TAIL]);

/** What the server writes instead of behaving; by path. */
const RAW = {
	"/stray-bytes": (socket) =>
		socket.write(Buffer.concat([Buffer.from("\r\n##STAR##"), frame("one"), Buffer.from("#"), frame("#two#"), frame(""), frame("three")])),
	"/endless": (socket) => {
		const write = () => !socket.destroyed && socket.write("x".repeat(65536), () => setImmediate(write));
		socket.write(HEAD, write);
	},
	"/another-protocol": (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
	"/cut-in-frame": (socket) => socket.end(Buffer.concat([frame("whole"), HEAD, Buffer.from("half")])),
};

/** Starts the server on 127.0.0.1. */
export async function startTcpPeer() {
	const reports = createReports();
	const sockets = new Set();
	const server = createServer({ allowHalfOpen: false }, (socket) => {
		sockets.add(socket);
		socket.on("error", () => {});
		let ended = false;
		const side = {
			send: (text) => socket.write(frame(text)),
			sendInSteps: (text, step) => writeInSteps(socket, frame(text), step),
			pause: () => socket.pause(),
			resume: () => socket.resume(),
			end: () => socket.end(),
			destroy: () => socket.resetAndDestroy(),
		};
		let started = false;
		let bytes = Buffer.alloc(0);
		socket.on("data", (data) => {
			bytes = Buffer.concat([bytes, data]);
			for (;;) {
				const start = bytes.indexOf(HEAD);
				const end = start < 0 ? -1 : bytes.indexOf(TAIL, start + HEAD.length);
				if (end < 0) return;
				const message = Buffer.from(bytes.subarray(start + HEAD.length, end));
				bytes = bytes.subarray(end + TAIL.length);
				if (started) side.onMessage?.(message);
				else {
					started = true;
					const path = message.toString();
					if (RAW[path]) RAW[path](socket);
					else if (!behave(path, side, reports)) socket.destroy();
				}
			}
		});
		socket.on("end", () => {
			ended = true;
		});
		socket.on("close", () => {
			sockets.delete(socket);
			side.onEnd?.(ended && bytes.length === 0);
		});
	});
	const port = await new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", () => resolve(server.address().port));
	});
	return {
		port,
		async close() {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
