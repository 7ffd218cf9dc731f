// The announcement in the local network: under which name, with what, and what a clash or a failure comes to.

import { beforeEach, expect, test } from "@jest/globals";
import { Announcement, MAX_NAMES } from "../../src/system/announcement.js";
import FakeDnsSd from "../fakes/sdk/dns-sd.js";
import { ManualTimers } from "../mcp/support.js";

let timers: ManualTimers;
let log: string[];

beforeEach(() => {
	timers = new ManualTimers();
	log = [];
	FakeDnsSd.failure = undefined;
	FakeDnsSd.last = undefined;
});

function announce(port = 80) {
	const options = { name: "esp_hi", macAddress: "02:00:00:00:EE:01", port, path: "/mcp", timers, log: (line: string) => log.push(line) };
	const announcement = new Announcement(options);
	return { announcement, dnsSd: FakeDnsSd.last as FakeDnsSd };
}

test("the service is announced under the board's name and the end of its address, once that is its own", () => {
	const { dnsSd } = announce(8080);
	expect(dnsSd.claims.map(({ host }) => host)).toEqual(["esp-hi-ee01"]);
	expect(dnsSd.services).toEqual([]);
	dnsSd.claims[0]?.onReady();
	const [{ txt, ...service } = { txt: new Uint8Array() }] = dnsSd.services;
	expect(service).toEqual({ serviceType: "_mcp._tcp", name: "esp-hi-ee01", host: "esp-hi-ee01", port: 8080 });
	expect(Buffer.from(txt).toString("latin1")).toBe("\x09path=/mcp\x0bname=esp_hi");
	expect(log).toEqual(["mdns: http://esp-hi-ee01.local:8080/mcp is announced as _mcp._tcp"]);
});

test("a name that somebody else has gets a number, and after a few the device gives up", () => {
	const { dnsSd } = announce();
	dnsSd.claims[0]?.onError();
	// Not in the SDK's own turn.
	expect(dnsSd.claims).toHaveLength(1);
	timers.advance(0);
	expect(dnsSd.claims.map(({ host, closed }) => [host, closed])).toEqual([
		["esp-hi-ee01", true],
		["esp-hi-ee01-2", false],
	]);
	for (let attempt = 2; attempt <= MAX_NAMES + 1; attempt++) {
		dnsSd.claims.at(-1)?.onError();
		timers.advance(0);
	}
	expect(dnsSd.claims).toHaveLength(MAX_NAMES);
	expect(log.at(-1)).toBe("mdns: the device is not announced: esp-hi-ee01-9.local is taken, too");
	expect(timers.size).toBe(0);
});

test("it is withdrawn once, and nothing comes after", () => {
	const { announcement, dnsSd } = announce();
	dnsSd.claims[0]?.onError();
	announcement.close();
	announcement.close();
	expect(dnsSd.closed).toBe(1);
	timers.advance(1000);
	dnsSd.claims[0]?.onReady();
	expect([dnsSd.claims.length, dnsSd.services.length]).toEqual([1, 0]);
});

test("a network that does not let it costs a line in the log", () => {
	FakeDnsSd.failure = new Error("bind failed");
	const { announcement } = announce();
	announcement.close();
	expect(log).toEqual(["mdns: the device is not announced: bind failed"]);
});
