// The server that transports are tried against: well-behaved on some paths, as bad as servers get on others.

import { createECDH, createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect as connectTcp, createServer as createTcpServer } from "node:net";
import { createServer as createRawTlsServer } from "node:tls";
import { WebSocketServer } from "ws";
import { makeCertificate } from "../support/certificates.mjs";

const acceptKey = (key) => createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
const upgraded = (request, line = "HTTP/1.1 101 Switching Protocols") =>
	`${line}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptKey(request.headers["sec-websocket-key"])}\r\n\r\n`;
const frame = (first, payload) => Buffer.concat([Buffer.from([first, payload.length]), payload]);
const text = (words) => frame(0x81, Buffer.from(words));
const inRawTls = (type, body) => Buffer.concat([Buffer.from([type, 3, 3, body.length >> 8, body.length & 255]), Buffer.from(body)]);
const handshake = (type, ...parts) => {
	const body = Buffer.concat(parts);
	return inRawTls(22, Buffer.concat([Buffer.from([type, 0, body.length >> 8, body.length & 255]), body]));
};
/** Did the client go on to its own key exchange? */
const hasKeyExchange = (received) => {
	for (let at = 0; at + 5 < received.length; at += 5 + received.readUInt16BE(at + 3)) if (received[at] === 22 && received[at + 5] === 16) return true;
	return false;
};
/** The cipher suites that the client offers, in its order. */
const offeredSuites = (received) => {
	const at = 44 + (received[43] ?? 0);
	const suites = [];
	for (let i = at + 2; i < at + 2 + received.readUInt16BE(at); i += 2) suites.push(received.toString("hex", i, i + 2));
	return suites;
};
const inThree = (bytes) => Buffer.concat([Buffer.from([0, bytes.length >> 8, bytes.length & 255]), bytes]);
/** A server's first flight; `signature` stands behind the key exchange, where the real one has an algorithm and a signature. */
const firstFlight = (chain, signature, suite = [0xc0, 0x2f]) =>
	Buffer.concat([
		handshake(2, Buffer.from([3, 3]), randomBytes(32), Buffer.from([0, ...suite, 0])),
		...(chain.length > 0 ? [handshake(11, inThree(Buffer.concat(chain.map((certificate) => inThree(certificate.bytes)))))] : []),
		handshake(12, Buffer.from([3, 0, 23, 65]), createECDH("prime256v1").generateKeys(), Buffer.from(signature)),
		handshake(14),
	]);

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
	"/101-without-upgrade": (socket, request) => socket.write(upgraded(request).replace("Upgrade: websocket", "Upgrade: h2c")),
	"/101-without-connection": (socket, request) => socket.write(upgraded(request).replace("Connection: Upgrade", "Connection: keep-alive")),
	"/101-with-extension": (socket, request) =>
		socket.write(upgraded(request).replace("\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n")),
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
		socket.send("x".repeat(200_000));
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
	/** Sends messages at once, which are one write to what is below. */
	"/together": (socket) => {
		socket._socket.cork();
		for (const character of "abcd") socket.send(character.repeat(4080));
		socket._socket.uncork();
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
	/** Member by member, and nothing at the end: together they are too long for a message. */
	"/tls": (socket, _, __, ___, about) => {
		for (const [name, value] of Object.entries(about)) socket.send(JSON.stringify({ [name]: value }));
		socket.send("{}");
	},
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

/** A CA of its own, certificates of it that are good or wrong in one way, and CAs that nobody knows. */
function makeCertificates() {
	const ca = makeCertificate({ name: "Test CA", authority: true, key: "rsa" });
	const names = ["localhost", "127.0.0.1"];
	const middle = makeCertificate({ name: "Test intermediate", authority: true, issuer: ca });
	const large = makeCertificate({ name: "Large CA", authority: true, key: "p384" });
	const good = makeCertificate({ name: "localhost", names, issuer: ca, key: "rsa" });
	return {
		ca,
		good,
		other: makeCertificate({ name: "Other CA", authority: true }),
		byMiddle: makeCertificate({ name: "localhost", names, issuer: middle }),
		middle,
		large,
		byLarge: makeCertificate({ name: "localhost", names, issuer: large }),
		/** Longer than a record. */
		long: makeCertificate({ name: "localhost", names: [...names, ...Array.from({ length: 100 }, (_, i) => `host-${i}.example.com`)], issuer: ca }),
		p384: makeCertificate({ name: "localhost", names, issuer: ca, key: "p384" }),
		/** Signs itself, for a name that is not its own. */
		impostor: makeCertificate({ name: "impostor", names, key: "rsa" }),
		/** Signed with the key of a certificate that may sign nothing. */
		byLeaf: makeCertificate({ name: "localhost", names, issuer: good }),
		elsewhere: makeCertificate({ name: "elsewhere", names: ["example.com", "*.example.com"], issuer: ca }),
		expired: makeCertificate({ name: "localhost", names, issuer: ca, from: new Date("2020-01-01T00:00:00Z"), to: new Date("2020-12-31T00:00:00Z") }),
	};
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
		const { ca, good, other, byMiddle, middle, large, byLarge, impostor, byLeaf, elsewhere, expired, long, p384 } = certificates;
		const serveTls = (chain) => serveOn(createTlsServer({ key: chain[0].key, cert: chain.map(({ pem }) => pem).join(""), maxVersion: "TLSv1.2" }));
		about.ca = ca.bytes.toString("hex");
		about.other = other.bytes.toString("hex");
		about.port = await serveTls([good, ca]);
		about.leafOnlyPort = await serveTls([good]);
		about.middlePort = await serveTls([byMiddle, middle]);
		about.large = large.bytes.toString("hex");
		about.largePort = await serveTls([byLarge]);
		about.pinned = impostor.bytes.toString("hex");
		about.pinnedPort = await serveTls([impostor]);
		about.impostorPort = await serveTls([impostor, ca]);
		about.impostorOverGoodPort = await serveTls([impostor, good, ca]);
		about.byLeafPort = await serveTls([byLeaf, good, ca]);
		about.elsewherePort = await serveTls([elsewhere, ca]);
		about.expiredPort = await serveTls([expired, ca]);
		/** Says goodbye in clear in the handshake: whoever takes that for a finished handshake sends the token in clear. */
		const rude = (answer, name) => {
			const server = createTcpServer((socket) => {
				const received = [];
				keep(socket);
				let bytes = 0;
				socket.on("data", (data) => {
					received.push(data);
					if (bytes === 0) socket.write(answer);
					bytes += data.length;
				});
				socket.on("close", () => {
					const all = Buffer.concat(received);
					reports.add(name, { inClear: all.includes("GET "), keyExchange: hasKeyExchange(all), offered: offeredSuites(all) });
				});
			});
			servers.push(server);
			return listening(server);
		};
		about.closeNotifyPort = await rude(inRawTls(21, [1, 0]), "close-notify");
		about.alertPort = await rude(inRawTls(21, [2, 40]), "alert");
		about.garbagePort = await rude(Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"), "garbage");
		about.badRecordPort = await rude(inRawTls(22, [99, 0, 0, 1, 7]), "bad-record");
		/** The MQTT broker behind TLS. */
		const mqtts = createRawTlsServer({ key: good.key, cert: good.pem + ca.pem, maxVersion: "TLSv1.2" }, (socket) => {
			keep(socket);
			const onward = connectTcp(ports.mqtt ?? 1, "127.0.0.1");
			keep(onward);
			socket.pipe(onward).pipe(socket);
			socket.on("close", () => onward.destroy());
			onward.on("close", () => socket.end());
		});
		servers.push(mqtts);
		about.mqttsPort = await listening(mqtts);
		/** The genuine certificate, but a key exchange that its key has not signed. */
		about.unsignedPort = await rude(firstFlight([good, ca], [0, 0, 0, 0]), "unsigned");
		about.wronglySignedPort = await rude(firstFlight([good, ca], [4, 1, 1, 0, ...randomBytes(256)]), "wrongly-signed");
		about.noCertificatePort = await rude(firstFlight([], [0, 0, 0, 0]), "no-certificate");
		about.rsaPort = await rude(firstFlight([good, ca], [0, 0, 0, 0], [0, 0x2f]), "rsa");
		about.cbcPort = await rude(firstFlight([good, ca], [0, 0, 0, 0], [0xc0, 0x27]), "cbc");
		about.p384Port = await serveTls([p384, ca]);
		/** Passes TLS through, and reports the longest record of each side. */
		const meter = createTcpServer((socket) => {
			keep(socket);
			const onward = connectTcp(longPort, "127.0.0.1");
			keep(onward);
			const lengths = [socket, onward].map((from) => {
				let bytes = Buffer.alloc(0);
				const found = { longest: 0 };
				from.on("data", (data) => {
					bytes = Buffer.concat([bytes, data]);
					for (; bytes.length >= 5; bytes = bytes.subarray(5 + bytes.readUInt16BE(3))) {
						if (bytes.length < 5 + bytes.readUInt16BE(3)) break;
						found.longest = Math.max(found.longest, bytes.readUInt16BE(3));
					}
				});
				return found;
			});
			socket.pipe(onward).pipe(socket);
			socket.on("close", () => {
				onward.destroy();
				reports.add("records", { device: lengths[0].longest, server: lengths[1].longest });
			});
		});
		const longPort = await serveTls([long, ca]);
		servers.push(meter);
		about.meterPort = await listening(meter);
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
