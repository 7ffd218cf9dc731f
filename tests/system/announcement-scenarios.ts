// What the announcement of MCP over HTTP promises on the SDK's own DNS-SD. On Linux it hears what is sent to it alone.

import { Announcement } from "system/announcement";
import Timer from "timer";
import type { Check, Scenario } from "../support/scenario.js";
import { ask } from "./datagram-scenarios.js";

const MDNS_PORT = 5353;

/** An announcement of this board, its log, and a wait for a line of that. */
function announce(name: string) {
	const log: string[] = [];
	let look = () => {};
	const options = {
		name,
		macAddress: "02:00:00:00:ee:01",
		port: 8080,
		path: "/mcp",
		timers: Timer,
		log(line: string) {
			log.push(line);
			look();
		},
	};
	const announcement = new Announcement(options);
	const logged = (line: string) =>
		new Promise<void>((resolve) => {
			look = () => {
				if (log.includes(line)) resolve();
			};
			look();
		});
	return { announcement, log, logged };
}

/** What an announcement of this host has to say. */
function complete(check: Check, answer: string, host: string): void {
	for (const part of [
		`${String.fromCharCode(host.length)}${host}`,
		"\x04_mcp\x04_tcp",
		"\x09path=/mcp",
		"\x0bname=esp_hi",
		"\x00\x00\x00\x00\x1f\x90",
	])
		check.that(answer.includes(part), `no ${JSON.stringify(part)} in ${JSON.stringify(answer)}`);
}

/** An answer that gives this host an address. */
function addressOf(host: string): string {
	const hex = (text: string) => Array.from(text, (character) => (256 + character.charCodeAt(0)).toString(16).slice(1)).join("");
	const label = (text: string) => hex(String.fromCharCode(text.length) + text);
	return `000084000000000100000000${label(host)}${label("local")}00000180010000007800040a000001`;
}

export const announcementScenarios: readonly Scenario[] = [
	{
		title: "whoever asks for MCP servers is told of the device, after packets that are none, too",
		async run(check) {
			const { announcement, logged } = announce("esp_hi");
			await logged("mdns: http://esp-hi-ee01.local:8080/mcp is announced as _mcp._tcp");
			complete(check, await ask(check, "findServers", { port: MDNS_PORT, packets: [] }), "esp-hi-ee01");
			const packets = [
				// Names that lead to themselves, and counts that are not so.
				"000000000001000000000000c00c000c0001",
				"000084000000000100000000c00c000c000100000001000200c0",
				"00000000ffffffffffffffff",
				"0000",
				"000000000001000000000000055f6d6370",
			];
			complete(check, await ask(check, "findServers", { port: MDNS_PORT, packets }), "esp-hi-ee01");
			announcement.close();
			check.that(await ask(check, "isFree", MDNS_PORT), "the port is still taken");
		},
	},
	{
		title: "a name that somebody else has gets a number",
		async run(check) {
			const { announcement, log, logged } = announce("esp_hi");
			await ask(check, "post", { port: MDNS_PORT, packets: [addressOf("esp-hi-ee01")] });
			await logged("mdns: http://esp-hi-ee01-2.local:8080/mcp is announced as _mcp._tcp");
			check.same(log[0], "mdns: somebody else is esp-hi-ee01.local");
			complete(check, await ask(check, "findServers", { port: MDNS_PORT, packets: [] }), "esp-hi-ee01-2");
			announcement.close();
		},
	},
	{
		title: "it comes back after the network was away",
		async run(check) {
			for (let life = 0; life < 2; life++) {
				const { announcement, logged } = announce("esp_hi");
				await logged("mdns: http://esp-hi-ee01.local:8080/mcp is announced as _mcp._tcp");
				announcement.close();
				announcement.close();
			}
			check.that(await ask(check, "isFree", MDNS_PORT), "the port is still taken");
		},
	},
];
