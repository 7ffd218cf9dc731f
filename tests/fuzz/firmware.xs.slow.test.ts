// A sample of hostile traffic against the whole firmware on the XS engine, over a real WebSocket, in random fragments.

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { type BackendConnection, TestBackend } from "../support/test-backend.js";
import { cases } from "./runs.js";
import { bent, message } from "./traffic.js";

const MODERN = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} } };

let backend: TestBackend;
let device: RunningDevice;
let connection: BackendConnection;
const log: string[] = [];

beforeAll(async () => {
	backend = await TestBackend.listen();
	device = await runDevice({
		board: "simulator",
		engine: "xs",
		entry: "tests/firmware/entry.ts",
		config: { url: backend.url },
		onLog: (line) => log.push(line),
	});
	connection = await backend.session();
});

afterAll(async () => {
	await device.close();
	await backend.close();
});

/** Sends one text message in pieces that end at the given places. */
function sendInPieces(bytes: Buffer, cuts: readonly number[]): void {
	const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
	let from = 0;
	for (const end of ends) {
		connection.socket.send(bytes.subarray(from, end), { binary: false, fin: false });
		from = end;
	}
	connection.socket.send(bytes.subarray(from), { binary: false, fin: true });
}

const callOf = (name: string, args: object) => connection.ask("tools/call", { name, arguments: args, ...MODERN });

async function heapSlots(): Promise<number> {
	await device.collectGarbage();
	// The meter is of the last turn of the engine.
	await callOf("test.echo", { text: "" });
	return device.meter().heapSlots as number;
}

const envelope = fc.oneof(
	message,
	message.map((payload) => ({ type: "mcp", payload })),
	message.map((payload) => ({ type: "mcp", session_id: "s", payload })),
);
const stream = fc.array(fc.tuple(bent(envelope), fc.array(fc.nat(), { maxLength: 4 })), { minLength: 1, maxLength: 20 });

async function hostileRounds(numRuns: number): Promise<void> {
	await fc.assert(
		fc.asyncProperty(stream, async (messages) => {
			for (const [bytes, cuts] of messages) sendInPieces(bytes, cuts);
			const reply = await callOf("test.echo", { text: "音" });
			expect(reply.result.content[0].text).toBe("音");
		}),
		{ numRuns, endOnFailure: true },
	);
}

test("the firmware survives it: the next good call works, nothing was thrown, and the hardware has not moved", async () => {
	const volume = async () => JSON.parse((await callOf("self.get_device_status", {})).result.content[0].text).audio_speaker.volume;
	const before = await volume();
	await hostileRounds(cases(0.1));
	expect(await volume()).toBe(before);
	expect(log.filter((line) => /abort|unhandled/i.test(line))).toEqual([]);
}, 600_000);

test("memory after many rounds is back where it was after a few", async () => {
	await hostileRounds(20);
	const before = await heapSlots();
	await hostileRounds(60);
	// What the rounds would leave behind if names became keys is over 600.
	expect((await heapSlots()) - before).toBeLessThan(300);
}, 600_000);

test("names that a peer makes up leave nothing behind: XS would keep each one it takes for a key", async () => {
	const round = async (from: number) => {
		for (let i = from; i < from + 300; i++) {
			await connection.ask("ping", { [`made-up-${i}`]: { [`deep-${i}`]: 1 }, ...MODERN });
			await callOf(`no.such.tool.${i}`, { [`made-up-argument-${i}`]: 1 });
		}
	};
	await round(0);
	const before = await heapSlots();
	await round(300);
	// One slot for each name that stays would be over 900.
	expect((await heapSlots()) - before).toBeLessThan(200);
}, 600_000);
