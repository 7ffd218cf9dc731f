// How the peers of the transports' contract behave, whatever carries their messages; by path, as in peer-server.mjs.

import { createHash } from "node:crypto";
import { manyBytes } from "./peer-server.mjs";

/**
 * The server's end of one connection.
 * @typedef {object} Side
 * @property {URLSearchParams} query
 * @property {(text: string) => void} send
 * @property {(text: string, step: number) => void} sendInSteps cuts the message, marks and all, into pieces of so many bytes
 * @property {() => void} pause stops reading
 * @property {() => void} resume
 * @property {() => void} end takes leave
 * @property {() => void} destroy ends it at once
 * @property {(bytes: Buffer) => void} [onMessage] set by the peer
 * @property {(clean: boolean) => void} [onEnd] set by the peer
 */

/** @typedef {ReturnType<typeof createReports>} Reports */

/** What peers have found out, for the path "/report". */
export function createReports() {
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

/** @type {{ readonly [path: string]: (side: Side, reports: Reports) => void }} */
const PEERS = {
	"/echo": (side) => {
		side.onMessage = (bytes) => side.send(bytes.toString());
	},
	"/digest": (side) => {
		side.onMessage = (bytes) =>
			side.send(JSON.stringify({ binary: false, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }));
	},
	"/pieces": (side) => side.sendInSteps(manyBytes(Number(side.query.get("bytes"))), Number(side.query.get("step"))),
	"/two-sizes": (side) => {
		for (const bytes of side.query.getAll("bytes")) side.send(manyBytes(Number(bytes)));
	},
	"/too-large": (side) => {
		side.send("before");
		side.send("x".repeat(200_000));
		side.send("y".repeat(20_000));
		side.send("after");
	},
	"/slow-reader": (side) => {
		const count = Number(side.query.get("count"));
		let next = 0;
		side.pause();
		for (let i = 0; i < count; i++) side.send(JSON.stringify({ id: i, padding: "p".repeat(120) }));
		setTimeout(() => side.resume(), Number(side.query.get("wait")));
		side.onMessage = (bytes) => {
			const { id } = JSON.parse(bytes.toString());
			if (id !== next) side.send(`wrong order: ${id} where ${next} was due`);
			if (++next === count) side.send("all answers came");
		};
	},
	"/never-reads": (side) => {
		side.pause();
		side.send("go");
	},
	"/close": (side) => side.end(),
	"/last-words": (side) => {
		for (const text of ["one", "two", "three"]) side.send(text);
		side.end();
	},
	"/terminate": (side) => {
		side.onMessage = () => side.destroy();
	},
	"/watch": (side, reports) => {
		const messages = [];
		side.onMessage = (bytes) => messages.push(bytes.length);
		side.onEnd = (clean) => reports.add(side.query.get("key"), { code: clean ? 1000 : 1006, reason: "", messages });
	},
	"/report": async (side, reports) => side.send(JSON.stringify(await reports.get(side.query.get("key")))),
};

/** Makes a side behave as a path says. Returns false where there is no such path. */
export function behave(path, side, reports) {
	const { pathname, searchParams } = new URL(path, "peer://peer");
	const peer = PEERS[pathname];
	if (!peer) return false;
	side.query = searchParams;
	peer(side, reports);
	return true;
}

/** Writes bytes in pieces of `step` bytes. */
export function writeInSteps(socket, bytes, step) {
	socket.setNoDelay(true);
	for (let at = 0; at < bytes.length; at += step) socket.write(bytes.subarray(at, at + step));
}
