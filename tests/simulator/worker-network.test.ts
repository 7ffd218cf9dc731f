// The network of a machine in a browser's worker: one server, at the pace of a device, and nothing else.

import { expect, test } from "@jest/globals";
import type { FromWorker } from "../../simulator/browser/messages.js";
import { WorkerNetwork } from "../../simulator/browser/worker-network.js";

/** A network, what the machine hears of it, and what the page does. */
function open() {
	const events: unknown[][] = [];
	const told: FromWorker[] = [];
	const network = new WorkerNetwork(
		{ config: { device_id: "02:00:00:00:00:01" }, onTrace() {}, post: (header, bytes) => events.push([...header, ...(bytes ? [bytes.length] : [])]) },
		(message) => told.push(message),
	);
	const ask = (...command: [string, ...unknown[]]) => network.answer(command, Uint8Array.of(1, 2, 3));
	return { network, events, told, ask };
}

test("the page is reached by its name, and nobody else by any", () => {
	const { ask, events, told } = open();
	ask("resolve", 1, "page.local");
	ask("resolve", 2, "example.com");
	ask("socket.open", 1, "192.0.2.1", 80, true, null, [], false);
	ask("socket.open", 2, "127.0.0.1", 80, true, "page.local", [], false);
	expect(events).toEqual([
		["resolved", 1, "127.0.0.1"],
		["resolved", 2, null],
		["socket", 1, "ended", "a page reaches no other server"],
		["socket", 2, "ended", "a page reaches no other server"],
	]);
	expect(told).toEqual([]);
});

test("what the page sends comes as fast as the machine reads it, and its end behind it", () => {
	const { network, ask, events, told } = open();
	ask("socket.open", 1, "127.0.0.1", 80, true, null, [], false);
	network.receive(1, new Uint8Array(2000));
	network.ended(1);
	expect(events).toEqual([
		["socket", 1, "connected", "127.0.0.1", 80],
		["socket", 1, "data", 1536],
	]);
	ask("socket.consumed", 1, 1000);
	expect(events.slice(2)).toEqual([
		["socket", 1, "data", 464],
		["socket", 1, "ended"],
	]);
	ask("socket.write", 1);
	ask("socket.close", 1);
	ask("socket.write", 1);
	network.receive(1, new Uint8Array(10));
	expect(told).toEqual([
		{ kind: "open", socket: 1 },
		{ kind: "write", socket: 1, bytes: Uint8Array.of(1, 2, 3) },
		{ kind: "close", socket: 1 },
	]);
});

test("facts are those of the page; no datagram comes, and an unknown command is refused in words", () => {
	const { ask } = open();
	expect(["IP", "MAC", "SSID"].map((what) => ask("net", what))).toEqual([["ok", "127.0.0.1"], ["ok", "02:00:00:00:00:01"], ["ok"]]);
	expect([ask("udp.open", 1, 0), ask("udp.look", 1)]).toEqual([["ok"], ["ok", 0]]);
	expect(() => ask("something")).toThrow('does not know "something" in a browser');
});
