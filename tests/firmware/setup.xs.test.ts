// The first set-up on the XS engine: the page, what is typed in, and the device that comes up with it.

import { Resolver } from "node:dns/promises";
import { connect, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type Preferences, type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { LogWatch } from "../support/launch.js";
import { TestBackend } from "../support/test-backend.js";
import { freeUdpPort, UdpPeer } from "../support/udp-peer.js";

let port: number;
let dnsPort: number;
let backend: TestBackend;
let device: RunningDevice;
let log: LogWatch;

async function prepare(): Promise<void> {
	backend = await TestBackend.listen();
	dnsPort = await freeUdpPort();
	port = await new Promise((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const found = (server.address() as { port: number }).port;
			server.close(() => resolve(found));
		});
	});
}

async function finish(): Promise<void> {
	await device?.close();
	await backend.close();
}

async function start(config: Record<string, unknown>, preferences?: Preferences, clock?: "manual"): Promise<void> {
	log = new LogWatch();
	device = await runDevice({
		board: "simulator",
		engine: "xs",
		config: { setup_port: port, dns_port: dnsPort, ...config },
		preferences,
		clock,
		onLog: (line) => log.add(line),
	});
}

const at = (path = "/") => `http://127.0.0.1:${port}${path}`;
const save = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
	fetch(at("/save"), { method: "POST", body: new URLSearchParams(fields), headers });

/** Sends one request as raw bytes; resolves with everything that comes back. */
function raw(bytes: string): Promise<string> {
	return new Promise((resolve) => {
		let reply = "";
		const socket = connect(port, "127.0.0.1", () => socket.write(bytes.replace("\r\n", "\r\nconnection: close\r\n"), "latin1"));
		socket.setEncoding("utf8");
		socket.on("data", (data) => {
			reply += data;
		});
		socket.on("error", () => {});
		socket.on("close", () => resolve(reply));
	});
}

async function openPage(): Promise<void> {
	await prepare();
	await start({ wifi: "simulated", ssid: "" });
	await log.logged(/^setup: join the Wi-Fi "simulator-[0-9A-F]{4}", password [a-z2-9]{10}, and open http:/);
}

describe("a device out of its box", () => {
	beforeEach(openPage);
	afterEach(finish);

	test("gets from the page to a working tool call", async () => {
		const page = await (await fetch(at())).text();
		expect(page).toContain('name="viewport"');
		const reply = await save({ ssid: "Home", password: "correct horse", url: backend.url, token: "typed-in", ota_url: "", endpoint: "" });
		expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining("Saved")]);
		const session = await backend.session();
		expect(session.request.headers.authorization).toBe("Bearer typed-in");
		expect(await session.call("self.audio_speaker.set_volume", { volume: 7 })).toBe("true");
		expect(await log.logged(/^wifi: connected to "Home"$/)).toBeTruthy();
		expect(await log.logged(/^setup: saved ssid, password, url, token$/)).toBeTruthy();
		for (const secret of ["typed-in", "correct horse"]) expect(log.lines.join("\n")).not.toContain(secret);
	}, 20_000);

	test("forgets the password of the network before when another one is chosen without one", async () => {
		await device.close();
		const kept = { "mcp-settings": { ssid: "Home", password: "correct horse", url: backend.url } };
		await start({ wifi: "simulated" }, kept);
		const session = await backend.session();
		await session.ask("tools/list", { withUserTools: true });
		// The connection is lost with the Wi-Fi.
		session.sendRequest("tools/call", { name: "self.system.reconfigure_wifi" });
		await session.closed;
		// The session is over before the page is there.
		await log.logged(/^setup: join the Wi-Fi/);
		expect((await save({ ssid: "Home", password: "", url: backend.url })).status).toBe(200);
		expect(device.preferences["mcp-settings"]).toMatchObject({ ssid: "Home", password: "correct horse" });
		expect((await save({ ssid: "Café am Markt 咖啡", password: "", url: backend.url })).status).toBe(200);
		expect(device.preferences["mcp-settings"]).not.toHaveProperty("password");
		await backend.session();
		expect(await log.logged(/^wifi: connected to "Café am Markt 咖啡"$/)).toBeTruthy();
	}, 20_000);

	test("speaks Chinese to a browser that likes it better, also when something is wrong and when all is saved", async () => {
		const chinese = { "accept-language": "zh-CN,zh;q=0.9,en;q=0.8" };
		expect(await (await fetch(at(), { headers: chinese })).text()).toContain("<h1>设置 simulator-");
		expect(await (await fetch(at(), { headers: { "accept-language": "fr" } })).text()).toContain("<h1>Set up simulator-");
		expect(await (await save({ ssid: "Home", password: "short" }, chinese)).text()).toContain("Wi-Fi 密码须为 8 至 64 个字符");
		expect(await (await save({ ssid: "Home", password: "correct horse" }, chinese)).text()).toContain("<h1>已保存</h1>");
	});

	test("answers a phone's questions for names with its own address, as long as the page is open", async () => {
		const resolver = new Resolver({ timeout: 5000, tries: 1 });
		resolver.setServers([`127.0.0.1:${dnsPort}`]);
		for (const name of ["connectivitycheck.gstatic.com", "captive.apple.com", "www.msftconnecttest.com"])
			expect(await resolver.resolve4(name)).toEqual(["127.0.0.1"]);
		await expect(resolver.resolve6("captive.apple.com")).rejects.toThrow("ENODATA");
		expect((await save({ ssid: "Home", password: "correct horse", url: backend.url })).status).toBe(200);
		await backend.session();
		// Nobody has the port any more.
		await (await UdpPeer.open(dnsPort)).close();
	}, 20_000);

	test("shows no query of an address to whoever opens the page, and keeps it when the rest stays as it is", async () => {
		await device.close();
		const url = `${backend.url}?token=in-the-query`;
		await start({ wifi: "simulated", ssid: "", url });
		await log.logged(/^setup: join the Wi-Fi/);
		const page = await (await fetch(at())).text();
		expect(page).toContain(`value="${backend.url}?…"`);
		expect(page).not.toContain("in-the-query");
		await save({ ssid: "Home", password: "correct horse", url: `${backend.url}?…` });
		expect((await backend.session()).request.url).toContain("token=in-the-query");
	});
});

describe("an open page", () => {
	// One device for all: what they send must leave nothing behind.
	beforeAll(openPage);
	afterAll(finish);

	test("lists the networks in reach, their names as text", async () => {
		let page = "";
		while (!page.includes('data-ssid="')) page = await (await fetch(at())).text();
		expect(page).toContain('data-ssid="Home"');
		expect(page).toContain("Café am Markt 咖啡");
		expect(page).toContain("&lt;b&gt;&quot;Neighbours&quot; &amp; Co&lt;/b&gt;");
		expect(page).not.toContain("<b>");
	});

	test("keeps nothing when something is wrong, says what, and shows what was typed in but for secrets", async () => {
		const reply = await save({ ssid: 'a"><script>', password: "short", url: "http://nope/", token: "secret-token", ota_url: "", endpoint: "" });
		const page = await reply.text();
		expect(reply.status).toBe(422);
		expect(page).toContain("password: a Wi-Fi password has 8 to 64 characters");
		expect(page).toContain("url: the WebSocket address must begin with ws:// or wss://");
		expect(page).toContain('value="a&quot;&gt;&lt;script&gt;"');
		expect(page).not.toContain("secret-token");
		expect(page).not.toContain("short");
		expect(device.preferences["mcp-settings"]?.token).toBeUndefined();
	});

	test("leads every other address to the page, as phones that look for the internet expect", async () => {
		for (const path of ["/generate_204", "/hotspot-detect.html", "/favicon.ico"]) {
			const reply = await fetch(at(path), { redirect: "manual" });
			expect([reply.status, reply.headers.get("location")]).toEqual([302, at()]);
		}
		expect(await raw("GET /generate_204 HTTP/1.1\r\nHost: connectivitycheck.example.com\r\n\r\n")).toMatch(
			new RegExp(`^HTTP/1.1 302 .*location: ${at()}`, "s"),
		);
	});

	test("takes nothing from a page of somebody else's", async () => {
		for (const origin of ["http://evil.example", "null", at().replace(":", "s:")])
			expect([origin, (await save({ ssid: "Evil", url: "ws://evil/" }, { origin })).status]).toEqual([origin, 403]);
		expect(await raw("POST /save HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 9\r\n\r\nssid=Evil")).toContain("302");
		expect(device.preferences["mcp-settings"]).toBeUndefined();
	});

	test.each([
		["garbage", "\x16\x03\x01\x02\x00\r\n\r\n"],
		["no HTTP", "HELLO\r\n\r\n"],
		["HTTP/1.0", "GET / HTTP/1.0\r\n\r\n"],
		["an endless head", `GET / HTTP/1.1\r\nX: ${"x".repeat(40_000)}`],
		["an endless path", `GET /${"x".repeat(40_000)}`],
	])("is not impressed by %s", async (_title, bytes) => {
		await raw(bytes);
		expect((await fetch(at())).status).toBe(200);
	});

	test("refuses a form that is too long, and odd ones, and goes on", async () => {
		expect((await save({ ssid: "x".repeat(9000) })).status).toBe(413);
		for (const body of ["", "&&&", "=", "ssid", "ssid=%E0%A4%A", `constructor=1&__proto__=2`]) {
			const reply = await fetch(at("/save"), { method: "POST", body, headers: { "content-type": "application/x-www-form-urlencoded" } });
			expect(reply.status).toBeLessThan(500);
		}
		expect((await fetch(at())).status).toBe(200);
	});

	test("takes nothing but a whole form: what is empty, cut or malformed changes nothing, and the device goes on", async () => {
		const form = "content-type: application/x-www-form-urlencoded";
		const post = (headers: string, body: string) => raw(`POST /save HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${headers}\r\n\r\n${body}`);
		const sized = (body: string, type = form) => post(`${type}\r\ncontent-length: ${Buffer.byteLength(body, "latin1")}`, body);
		for (const body of ["", "&&", "other=x", "ssid=%", "ssid=a&url=%E0%A4%A", "ssid=%ED%A0%80", "ssid=\xff\xfe"])
			expect([body, (await sized(body)).slice(0, 12)]).toEqual([body, "HTTP/1.1 400"]);
		expect(await sized("ssid=Home", "content-type: text/plain")).toContain("HTTP/1.1 400");
		expect(await post(`${form}\r\ntransfer-encoding: chunked`, "3\r\nssid=Home\r\n0\r\n\r\n")).toContain("HTTP/1.1 400");
		expect(await post(form, "")).not.toContain("HTTP/1.1 200");
		expect(device.preferences["mcp-settings"] ?? {}).toEqual({});
		expect(log.lines.filter((line) => /saved|restart/.test(line))).toEqual([]);
		expect((await fetch(at())).status).toBe(200);
	});

	test("serves everybody while 8 visitors sit idle: the one that has been idle for longest goes", async () => {
		const gone: number[] = [];
		let onGone = () => {};
		const sit = (i: number) => {
			const socket = connect(port, "127.0.0.1").on("error", () => {});
			socket.on("close", () => {
				gone.push(i);
				onGone();
			});
			return new Promise<typeof socket>((resolve) => socket.once("connect", () => resolve(socket)));
		};
		const idle = [];
		for (let i = 0; i < 8; i++) idle.push(await sit(i));
		// Those for whom there is no place are told so; the first three have made room.
		while (gone.length < 5) await new Promise<void>((resolve) => (onGone = resolve));
		for (let i = 0; i < 20; i++) expect((await fetch(at())).status).toBe(200);
		expect(gone).toEqual(expect.arrayContaining([0, 1, 2]));
		for (const socket of idle) socket.destroy();
	});
});

describe("the page", () => {
	beforeEach(prepare);
	afterEach(finish);

	test("the page opens without an answerer of names when that port is taken, and on the usual port when another cannot be", async () => {
		const taken = await UdpPeer.open();
		await start({ wifi: "simulated", ssid: "", dns_port: taken.port });
		expect(await log.logged(/^setup: names are not answered: bind failed$/)).toBeTruthy();
		expect((await fetch(at())).status).toBe(200);
		await device.close();
		await taken.close();
		await start({ wifi: "simulated", ssid: "", setup_port: 70000, dns_port: "x" });
		expect(await log.logged(/^setup: setup_port must be a number from 1 to 65535, got "70000"; using 80$/)).toBeTruthy();
		expect(await log.logged(/^setup: dns_port must be a number from 1 to 65535, got "x"; using 53$/)).toBeTruthy();
	});

	test("setup_password=open opens an access point without a password, and the log says what that means", async () => {
		await start({ wifi: "simulated", ssid: "", setup_password: "open" });
		expect(await log.logged(/^setup: join the Wi-Fi "simulator-[0-9A-F]{4}" and open http:/)).toBeTruthy();
		expect(log.lines).toContain("setup: the access point has no password: anyone nearby can open the page and read what is entered");
		expect((await fetch(at())).status).toBe(200);
	});

	test("without a network for 2 minutes the page opens, and without a visitor for 5 more the known network is tried again", async () => {
		await start({ wifi: "simulated", url: backend.url, ssid: "Home", password: "wrong horse" }, undefined, "manual");
		await device.advance(1000);
		expect(await log.logged(/^wifi: the password was refused; joining again in \d+\.\d s$/)).toBeTruthy();
		await device.advance(118_000);
		await expect(fetch(at())).rejects.toThrow();
		await device.advance(2000);
		expect(log.lines.at(-1)).toMatch(/^setup: join the Wi-Fi/);
		expect((await fetch(at())).status).toBe(200);
		await device.advance(300_000);
		expect(log.lines).toContain("setup: nobody came; trying the known network again");
		// The page is closed, its listening socket is not: on ESP32 lwIP may be at work on it.
		expect((await fetch(at())).status).toBe(503);
		const joins = log.lines.filter((line) => line === 'wifi: joining "Home"').length;
		await device.advance(10_000);
		expect(log.lines.filter((line) => line === 'wifi: joining "Home"').length).toBeGreaterThan(joins);
	});

	test("self.system.reconfigure_wifi opens the page where there is no Wi-Fi too", async () => {
		await start({ url: backend.url });
		const session = await backend.session();
		await session.ask("tools/list", { withUserTools: true });
		expect(await session.call("self.system.reconfigure_wifi")).toBe(`The set-up page is open: ${at()}`);
		const page = await (await fetch(at())).text();
		expect(page).not.toContain("Wi-Fi password");
		expect(page).toContain(`value="${backend.url}"`);
	});
});
