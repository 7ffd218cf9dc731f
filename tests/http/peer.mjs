// The web server that HTTP requests are tried against: well-behaved on some paths, as bad as servers get on others.

import { createHash } from "node:crypto";
import { createServer } from "node:net";

const MEBIBYTE = 1 << 20;

/** What the server writes, by path; `write` resolves when the bytes are out. */
const ANSWERS = {
	"/text": ({ end }) => end("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n\r\nh\u00e4ll\u00f6"),
	"/without-phrase": ({ end }) => end("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"),
	"/http-1.0": ({ end }) => end("HTTP/1.0 200 OK\r\n\r\nuntil the end"),
	"/no-content": ({ write }) => write("HTTP/1.1 204 No Content\r\n\r\n"),
	"/empty": ({ write }) => write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
	"/continue": ({ end }) => end("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
	"/chunked": ({ write }) =>
		write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0A\r\n0123456789\r\n0\r\nX-Trailer: x\r\n\r\n"),
	"/byte-by-byte": async ({ write }) => {
		for (const byte of Buffer.from("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"))
			await write(Buffer.from([byte]));
	},
	"/request": ({ end, head, body }) => {
		const about = JSON.stringify({ head: head.split("\r\n"), bytes: body.length, sha256: createHash("sha256").update(body).digest("hex") });
		return end(`HTTP/1.1 201 Created\r\nContent-Length: ${Buffer.byteLength(about)}\r\n\r\n${about}`);
	},
	"/redirect": ({ end }) => end("HTTP/1.1 302 Found\r\nLocation: /text\r\nContent-Length: 0\r\n\r\n"),
	"/deep/redirect": ({ end }) => end("HTTP/1.1 307 Temporary Redirect\r\nLocation: ../text\r\nContent-Length: 0\r\n\r\n"),
	"/redirect-absolute": ({ end, port }) => end(`HTTP/1.1 301 Moved\r\nLocation: http://localhost:${port}/text\r\n\r\n`),
	"/redirect-loop": ({ end }) => end("HTTP/1.1 302 Found\r\nLocation: /redirect-loop\r\n\r\n"),
	"/redirect-odd": ({ end }) => end("HTTP/1.1 302 Found\r\nLocation: ftp://example.com/\r\n\r\n"),
	"/404": ({ end }) => end("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnope"),
	"/large": ({ end }) => end(`HTTP/1.1 200 OK\r\nContent-Length: ${MEBIBYTE}\r\n\r\n${"x".repeat(MEBIBYTE)}`),
	"/large-until-end": ({ end }) => end(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(MEBIBYTE)}`),
	"/large-chunked": ({ end }) => end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n${"x".repeat(MEBIBYTE)}\r\n0\r\n\r\n`),
	"/one-byte-chunks": ({ end }) => end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(4096)}0\r\n\r\n`),
	"/just-fits": ({ end }) => end(`HTTP/1.1 200 OK\r\nContent-Length: 4096\r\n\r\n${"x".repeat(4096)}`),
	"/cut": ({ end }) => end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this"),
	"/cut-in-head": ({ end }) => end("HTTP/1.1 200 OK\r\nContent-"),
	"/cut-in-chunk": ({ end }) => end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc"),
	"/hang-up": ({ socket }) => socket.destroy(),
	"/garbage": ({ write }) => write(Buffer.from([0x15, 3, 1, 0, 2, 2, 40, 0, 0xff, 0xfe])),
	"/no-status": ({ end }) => end("HTTP/1.1 OK\r\n\r\n"),
	"/bad-length": ({ end }) => end("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"),
	"/negative-length": ({ end }) => end("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"),
	"/bad-chunk": ({ end }) => end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"),
	"/long-chunk": ({ end }) => end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcdef\r\n"),
	"/endless-chunk-line": ({ end }) => end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${"1".repeat(100_000)}`),
	"/gzip": ({ end }) => end("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nxx"),
	"/huge-head": ({ end }) => end(`HTTP/1.1 200 OK\r\nX-Padding: ${"x".repeat(100_000)}\r\n\r\n`),
	"/nothing": () => {},
};

/** Listens on 127.0.0.1. */
export function startHttpPeer() {
	const sockets = new Set();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on("close", () => sockets.delete(socket));
		socket.on("error", () => {});
		socket.setNoDelay(true);
		let received = Buffer.alloc(0);
		let answered = false;
		socket.on("data", (data) => {
			received = Buffer.concat([received, data]);
			const end = received.indexOf("\r\n\r\n");
			if (end < 0 || answered) return;
			const head = received.subarray(0, end).toString("latin1");
			const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
			const body = received.subarray(end + 4);
			if (body.length < length) return;
			answered = true;
			const path = head.split(" ")[1];
			const write = (bytes) => new Promise((resolve) => (socket.destroyed ? resolve() : socket.write(bytes, () => setImmediate(resolve))));
			const answer = ANSWERS[path] ?? ANSWERS["/404"];
			answer({ socket, head, body, write, end: (bytes) => socket.end(bytes), port: server.address().port });
		});
	});
	return new Promise((resolve) => {
		server.listen(0, "127.0.0.1", () =>
			resolve({
				port: server.address().port,
				close() {
					for (const socket of sockets) socket.destroy();
					return new Promise((closed) => server.close(closed));
				},
			}),
		);
	});
}
