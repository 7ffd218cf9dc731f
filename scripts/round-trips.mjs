// How fast calls go round: the firmware and an echo in the same kind of worker, with one and with eight messages in flight.

import { WebSocketServer } from "ws";
import { runDevice } from "../simulator/run-device.js";

const MESSAGES = 2000;
const CALL = { jsonrpc: "2.0", method: "tools/call", params: { name: "self.audio_speaker.set_volume", arguments: { volume: 40 } } };

/**
 * @typedef {object} RoundTrips
 * @property {number} latencyMs of one message, with one in flight
 * @property {number} perSecond messages, with eight in flight
 */

/** @param {"echo" | "firmware"} what @returns {Promise<RoundTrips>} */
export async function measureRoundTrips(what) {
	const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
	await new Promise((resolve) => server.once("listening", resolve));
	const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
	const connected = new Promise((resolve) => server.once("connection", resolve));
	const device = await runDevice({
		board: "simulator",
		engine: "xs",
		...(what === "echo" ? { entry: "tests/simulator/fixtures/echo.ts" } : {}),
		config: { host: "127.0.0.1", port, url: `ws://127.0.0.1:${port}/`, session: "always" },
	});
	try {
		/** @type {import("ws").WebSocket} */
		const socket = await connected;
		if (what === "firmware") {
			await new Promise((resolve) => socket.once("message", resolve));
			socket.send('{"type":"hello","transport":"websocket","session_id":"r"}');
		}
		const run = (/** @type {number} */ inFlight) =>
			new Promise((resolve, reject) => {
				let sent = 0;
				let received = 0;
				const next = () => socket.send(JSON.stringify({ session_id: "r", type: "mcp", payload: { ...CALL, id: sent++ } }));
				const start = performance.now();
				const onMessage = (/** @type {Buffer} */ data) => {
					const text = String(data);
					if (!text.includes('"id":')) return;
					if (text.includes('"error"')) reject(new Error(text));
					received++;
					if (sent < MESSAGES) next();
					if (received < MESSAGES) return;
					socket.off("message", onMessage);
					resolve(performance.now() - start);
				};
				socket.on("message", onMessage);
				for (let i = 0; i < inFlight; i++) next();
			});
		await run(1);
		return { latencyMs: (await run(1)) / MESSAGES, perSecond: MESSAGES / ((await run(8)) / 1000) };
	} finally {
		await device.close();
		server.close();
	}
}
