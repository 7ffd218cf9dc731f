// The server that transports are tried against: well-behaved on some paths, as bad as servers get on others.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect as connectTcp, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createRawTlsServer } from "node:tls";
import { WebSocketServer } from "ws";

const acceptKey = (key) => createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
const upgraded = (request, line = "HTTP/1.1 101 Switching Protocols") =>
	`${line}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptKey(request.headers["sec-websocket-key"])}\r\n\r\n`;
const frame = (first, payload) => Buffer.concat([Buffer.from([first, payload.length]), payload]);
const text = (words) => frame(0x81, Buffer.from(words));
const inRawTls = (type, body) => Buffer.concat([Buffer.from([type, 3, 3, 0, body.length]), Buffer.from(body)]);

/** Each character of the Latin, Greek, CJK and emoji blocks has another length in UTF-8. */
export const manyBytes = (count) => {
	let words = "";
	let bytes = 0;
	for (let i = 0; bytes < count; i++) {
		const character = ["a", "ä", "灯", "🚀"][i % 4];
		const length = Buffer.byteLength(character);
		words += bytes + length > count ? "." : character;
		bytes += bytes + length > count ? 1 : length;
	}
	return words;
};

/** Servers that write bytes of their own instead of an upgrade; by path. */
const RAW = {
	"/401": (socket) => socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
	"/401-without-phrase": (socket) => socket.end("HTTP/1.1 401\r\nContent-Length: 0\r\n\r\n"),
	"/200": (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
	"/redirect": (socket) => socket.end("HTTP/1.1 302 Found\r\nLocation: https://example.com/\r\n\r\n"),
	"/nothing": () => {},
	"/hang-up": (socket) => socket.destroy(),
	"/garbage": (socket) => socket.write(Buffer.from([0x15, 3, 1, 0, 2, 2, 40, 0, 0xff, 0xfe])),
	"/huge-head": (socket) => {
		socket.on("error", () => {});
		socket.write(`HTTP/1.1 101 Switching Protocols\r\nX-Padding: ${"x".repeat(100_000)}\r\n\r\n`);
	},
	"/endless-head": (socket) => {
		socket.on("error", () => {});
		const write = () => !socket.destroyed && socket.write("X-More: x\r\n".repeat(200), () => setImmediate(write));
		socket.write("HTTP/1.1 101 Switching Protocols\r\n", write);
	},
	"/101-without-headers": (socket) => socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
	"/without-phrase": (socket, request) => socket.write(Buffer.concat([Buffer.from(upgraded(request, "HTTP/1.1 101")), text("welcome")])),
	"/keep-alive": (socket, request) =>
		socket.write(Buffer.concat([Buffer.from(upgraded(request).replace("Connection: Upgrade", "connection: keep-alive, upgrade")), text("welcome")])),
	"/wrong-accept": (socket, request) => socket.write(upgraded({ headers: { "sec-websocket-key": `${request.headers["sec-websocket-key"]}x` } })),
	"/byte-by-byte": async (socket, request) => {
		socket.setNoDelay(true);
		for (const byte of Buffer.concat([
			Buffer.from(upgraded(request)),
			frame(0x01, Buffer.from("wel")),
			frame(0x89, Buffer.from("ping")),
			frame(0x00, Buffer.from("c")),
			frame(0x80, Buffer.from("ome")),
		])) {
			await new Promise((resolve) => socket.write(Buffer.from([byte]), () => setTimeout(resolve, 1)));
		}
	},
	/** Waits for the pong when only half of the next frame's header is out. */
	"/split-header": (socket, request) => {
		socket.once("data", () => socket.write(Buffer.from([2, 0x68, 0x69])));
		socket.write(Buffer.concat([Buffer.from(upgraded(request)), frame(0x89, Buffer.from("ping")), Buffer.from([0x81])]));
	},
	"/2-to-63": (socket, request) => socket.write(Buffer.concat([Buffer.from(upgraded(request)), Buffer.from([0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0])])),
	"/4-gb": (socket, request) =>
		socket.write(Buffer.concat([Buffer.from(upgraded(request)), Buffer.from([0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0]), Buffer.alloc(3000)])),
	"/masked": (socket, request) => socket.write(Buffer.concat([Buffer.from(upgraded(request)), Buffer.from([0x81, 0x82, 1, 2, 3, 4, 0x69, 0x6b])])),
	"/reserved-bits": (socket, request) => socket.write(Buffer.concat([Buffer.from(upgraded(request)), frame(0xc1, Buffer.from("hi"))])),
	"/unknown-opcode": (socket, request) => socket.write(Buffer.concat([Buffer.from(upgraded(request)), frame(0x83, Buffer.from("hi"))])),
	"/stray-continuation": (socket, request) => socket.write(Buffer.concat([Buffer.from(upgraded(request)), frame(0x80, Buffer.from("hi"))])),
	"/long-ping": (socket, request) => socket.write(Buffer.concat([Buffer.from(upgraded(request)), Buffer.from([0x89, 126, 1, 0]), Buffer.alloc(256)])),
	"/hang-up-in-frame": (socket, request) => socket.end(Buffer.concat([Buffer.from(upgraded(request)), Buffer.from([0x81, 100, 1, 2, 3])])),
	"/last-words": (socket, request) =>
		socket.end(
			Buffer.concat([
				Buffer.from(upgraded(request)),
				text("one"),
				text("two"),
				text("three"),
				frame(0x88, Buffer.concat([Buffer.from([0x03, 0xf0]), Buffer.from("bad token")])),
			]),
		),
	"/strict": (socket, request, serve) => {
		const names = request.rawHeaders.map((name) => name.toLowerCase());
		const connections = request.rawHeaders.filter((_, i) => i % 2 === 1 && names[i - 1] === "connection");
		if (connections.length !== 1 || connections[0] !== "Upgrade") socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
		else serve();
	},
};

/** What the server does on an open connection; by path. */
const SERVED = {
	"/echo": (socket) => socket.on("message", (data, binary) => socket.send(data, { binary })),
	"/strict": (socket) => socket.on("message", (data, binary) => socket.send(data, { binary })),
	"/request": (socket, request) => socket.send(JSON.stringify({ url: request.url, headers: request.rawHeaders })),
	"/digest": (socket) =>
		socket.on("message", (data, binary) =>
			socket.send(JSON.stringify({ binary, bytes: data.length, sha256: createHash("sha256").update(data).digest("hex") })),
		),
	/** Sends one message of `bytes` bytes in pieces that cut characters in two. */
	"/pieces": (socket, _, query) => {
		const data = Buffer.from(manyBytes(Number(query.get("bytes"))));
		const step = Number(query.get("step") ?? 777);
		for (let at = 0; at < data.length; at += step) {
			socket.send(data.subarray(at, at + step), { binary: false, fin: at + step >= data.length });
			if (query.has("ping")) socket.ping("between");
		}
	},
	"/two-sizes": (socket, _, query) => {
		for (const bytes of query.getAll("bytes")) socket.send(manyBytes(Number(bytes)));
	},
	"/too-large": (socket) => {
		socket.send("before");
		socket.send("x".repeat(1_000_000));
		for (let i = 0; i < 10; i++) socket.send("y".repeat(2_000), { fin: i === 9 });
		socket.send("after");
	},
	"/binary": (socket) => {
		socket.send(Buffer.from([1, 2, 3]), { binary: true });
		socket.send(Buffer.alloc(5000), { binary: true });
		socket.send("");
		socket.send("text");
	},
	/** Asks `count` things at once, does not read for a while, then wants every answer, in order. */
	"/slow-reader": (socket, _, query) => {
		const count = Number(query.get("count") ?? 100);
		socket._socket.pause();
		for (let i = 0; i < count; i++) socket.send(JSON.stringify({ id: i, padding: "p".repeat(120) }));
		setTimeout(() => socket._socket.resume(), Number(query.get("wait") ?? 500));
		let next = 0;
		socket.on("message", (data) => {
			const { id } = JSON.parse(data.toString());
			if (id !== next) socket.send(`wrong order: ${id} where ${next} was due`);
			if (++next === count) socket.send("all answers came");
		});
	},
	"/never-reads": (socket) => {
		socket._socket.pause();
		socket.send("go");
	},
	"/ping": (socket) => {
		socket.on("pong", (data) => socket.send(`pong ${data}`));
		socket.on("message", () => socket.ping("are you there"));
	},
	"/close": (socket, _, query) => socket.close(Number(query.get("code") ?? 1000), query.get("reason") ?? ""),
	"/terminate": (socket) => socket.on("message", () => socket.terminate()),
	/** Remembers how the connection was closed; "/report" tells. */
	"/watch": (socket, _, query, reports) => {
		const messages = [];
		socket.on("message", (data) => messages.push(data.length));
		socket.on("close", (code, reason) => reports.add(query.get("key"), { code, reason: reason.toString(), messages }));
	},
	"/report": async (socket, _, query, reports) => socket.send(JSON.stringify(await reports.get(query.get("key")))),
	"/tls": (socket, _, __, ___, about) => socket.send(JSON.stringify(about)),
	"/ports": (socket, _, __, ___, about) => socket.send(JSON.stringify(about.ports)),
};

function makeReports() {
	const found = new Map();
	const wanted = new Map();
	return {
		add(key, report) {
			found.set(key, report);
			wanted.get(key)?.(report);
		},
		get: (key) => found.get(key) ?? new Promise((resolve) => wanted.set(key, resolve)),
	};
}

/** A CA of its own and a certificate for localhost, made with openssl; undefined where there is no openssl. */
function makeCertificates() {
	const folder = mkdtempSync(join(tmpdir(), "peer-"));
	const openssl = (...args) => execFileSync("openssl", args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
	try {
		writeFileSync(join(folder, "leaf.ext"), "subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n");
		for (const name of ["ca", "other"]) {
			openssl(
				"req",
				"-x509",
				"-newkey",
				"rsa:2048",
				"-nodes",
				"-sha256",
				"-days",
				"30",
				"-subj",
				`/CN=Test ${name}`,
				"-keyout",
				`${name}.key`,
				"-out",
				`${name}.pem`,
			);
			openssl("x509", "-in", `${name}.pem`, "-outform", "DER", "-out", `${name}.der`);
		}
		openssl("req", "-newkey", "rsa:2048", "-nodes", "-sha256", "-subj", "/CN=localhost", "-keyout", "leaf.key", "-out", "leaf.csr");
		openssl(
			"x509",
			"-req",
			"-in",
			"leaf.csr",
			"-CA",
			"ca.pem",
			"-CAkey",
			"ca.key",
			"-CAcreateserial",
			"-days",
			"30",
			"-sha256",
			"-extfile",
			"leaf.ext",
			"-out",
			"leaf.pem",
		);
		const read = (name) => readFileSync(join(folder, name));
		return {
			key: read("leaf.key"),
			cert: Buffer.concat([read("leaf.pem"), read("ca.pem")]),
			ca: read("ca.der").toString("base64"),
			other: read("other.der").toString("base64"),
		};
	} catch {
		return undefined;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const listening = (server) =>
	new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", () => resolve(server.address().port));
	});

/**
 * Starts the server on 127.0.0.1.
 * @param {{ tls?: boolean, ports?: object }} options with `tls` it serves wss:// as well, and broken TLS; "/ports" tells `ports`
 */
export async function startPeerServer({ tls = false, ports = {} } = {}) {
	const reports = makeReports();
	const sockets = new Set();
	const keep = (socket) => {
		sockets.add(socket);
		socket.on("error", () => {});
		socket.on("close", () => sockets.delete(socket));
	};
	const webSockets = new WebSocketServer({ noServer: true, maxPayload: 16 * 1024 * 1024 });
	const about = { ports };
	const servers = [];
	const serveOn = (server) => {
		server.on("connection", keep);
		server.on("upgrade", (request, socket, head) => {
			const { pathname, searchParams } = new URL(request.url, "http://localhost");
			const serve = () => {
				const act = SERVED[pathname];
				if (!act) return void socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
				webSockets.handleUpgrade(request, socket, head, (webSocket) => {
					webSocket.on("error", () => {});
					act(webSocket, request, searchParams, reports, about);
				});
			};
			const raw = RAW[pathname];
			if (raw) raw(socket, request, serve);
			else serve();
		});
		servers.push(server);
		return listening(server);
	};
	const port = await serveOn(createServer());
	const certificates = tls ? makeCertificates() : undefined;
	if (certificates) {
		const { key, cert, ca, other } = certificates;
		about.port = await serveOn(createTlsServer({ key, cert, maxVersion: "TLSv1.2" }));
		about.ca = ca;
		about.other = other;
		/** Says goodbye in clear in the handshake: whoever takes that for a finished handshake sends the token in clear. */
		const received = [];
		const rude = (answer, name) => {
			const server = createTcpServer((socket) => {
				keep(socket);
				let bytes = 0;
				socket.on("data", (data) => {
					received.push(data);
					if (bytes === 0) socket.write(answer);
					bytes += data.length;
				});
				socket.on("close", () => reports.add(name, { inClear: Buffer.concat(received).includes("GET ") }));
			});
			servers.push(server);
			return listening(server);
		};
		about.closeNotifyPort = await rude(inRawTls(21, [1, 0]), "close-notify");
		about.alertPort = await rude(inRawTls(21, [2, 40]), "alert");
		about.garbagePort = await rude(Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"), "garbage");
		about.badRecordPort = await rude(inRawTls(22, [99, 0, 0, 1, 7]), "bad-record");
		/** The MQTT broker behind TLS. */
		const mqtts = createRawTlsServer({ key, cert, maxVersion: "TLSv1.2" }, (socket) => {
			keep(socket);
			const onward = connectTcp(ports.mqtt ?? 1, "127.0.0.1");
			keep(onward);
			socket.pipe(onward).pipe(socket);
			socket.on("close", () => onward.destroy());
			onward.on("close", () => socket.end());
		});
		servers.push(mqtts);
		about.mqttsPort = await listening(mqtts);
		/** Passes good TLS through until the application data, in which it then spoils a byte. */
		const spoiler = createTcpServer((socket) => {
			keep(socket);
			const onward = connectTcp(about.port, "127.0.0.1");
			keep(onward);
			socket.pipe(onward);
			onward.on("data", (data) => {
				const copy = Buffer.from(data);
				if (copy[0] === 23) copy[copy.length - 1] ^= 1;
				socket.write(copy);
			});
			onward.on("close", () => socket.destroy());
		});
		servers.push(spoiler);
		about.spoilerPort = await listening(spoiler);
	}
	return {
		port,
		async close() {
			for (const socket of sockets) socket.destroy();
			await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
		},
	};
}
