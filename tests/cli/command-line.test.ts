// The checks of the command-line options.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parseBoard } from "../../cli/boards.js";
import { commandLine } from "../../cli/moddable.js";
import { closest, parseOptions, parsePort, UsageError } from "../../cli/program.js";
import {
	defaultMacAddress,
	parseDeviceUrl,
	parseFramedAddress,
	parseMacAddress,
	parseToken,
	parseUuid,
	readToken,
	uuidOf,
} from "../../hub/options.js";

describe("options", () => {
	const options = { once: { type: "boolean", default: false }, port: { type: "string", default: "0" } } as const;

	test("are taken as they are", () => {
		expect({ ...parseOptions(["--once", "--port", "8000"], options) }).toEqual({ once: true, port: "8000" });
		expect({ ...parseOptions([], options) }).toEqual({ once: false, port: "0" });
	});

	test("take a value that begins with a dash, but no option for a value", () => {
		const token = { token: { type: "string" }, url: { type: "string" } } as const;
		expect({ ...parseOptions(["--token", "-a-b", "--url", "--x"], token) }).toEqual({ token: "-a-b", url: "--x" });
		expect(() => parseOptions(["--token", "--url", "x"], token)).toThrow(UsageError);
		expect(() => parseOptions(["--token", "--url=x"], token)).toThrow(UsageError);
	});

	test.each([[["--unknown"]], [["word"]], [["--port"]], [["--once=1"]], [["--once", "--once"]], [["--port", "--once"]]])("refuse %j", (args) => {
		expect(() => parseOptions(args, options)).toThrow(UsageError);
	});

	test("that are almost right are named", () => {
		expect(() => parseOptions(["--prot", "1"], options)).toThrow(/^Unknown option '--prot'. Did you mean --port\?$/);
		expect(closest("lang", ["board", "language"])).toBe("language");
		expect(() => parseOptions(["--colour"], options)).toThrow(/^Unknown option '--colour'$/);
		expect([closest("oto", ["otto", "esp_hi"]), closest("", ["a"]), closest("electronbot", ["electron_bot"])]).toEqual(["otto", "a", "electron_bot"]);
	});

	test("that npm took for itself are refused with the right command", () => {
		const before = { ...process.env };
		try {
			Object.assign(process.env, { npm_lifecycle_event: "start", npm_config_port: "8000" });
			expect(() => parseOptions([], options)).toThrow("npm took --port for itself. Put -- before it: npm start -- --port 8000");
			expect({ ...parseOptions(["--port", "1"], options) }).toMatchObject({ port: "1" });
			Object.assign(process.env, { npm_lifecycle_event: "device", npm_config_port: "", npm_config_once: "true" });
			expect(() => parseOptions([], options)).toThrow("npm took --once for itself. Put -- before it: npm run device -- --once");
			delete process.env.npm_lifecycle_event;
			expect({ ...parseOptions([], options) }).toMatchObject({ once: false });
		} finally {
			process.env = before;
		}
	});
});

describe("values", () => {
	test.each([
		[parsePort, "0", 0],
		[parsePort, "65535", 65535],
		[parseDeviceUrl, "ws://127.0.0.1:8000/xiaozhi/v1/?a=b", "ws://127.0.0.1:8000/xiaozhi/v1/?a=b"],
		[parseDeviceUrl, "wss://example.com", "wss://example.com"],
		[parseToken, "Bearer abc", "Bearer abc"],
		[parseMacAddress, "AA:BB:CC:00:11:22", "aa:bb:cc:00:11:22"],
		[parseUuid, "5F3B1F0E-2C4D-4A6B-8C8D-9E0F1A2B3C4D", "5f3b1f0e-2c4d-4a6b-8c8d-9e0f1a2b3c4d"],
		[parseBoard, "simulator", "simulator"],
		[parseBoard, "./boards/simulator", resolve("boards/simulator")],
	] as [(text: string) => unknown, string, unknown][])("%p takes %j", (parse, given, expected) => {
		expect(parse(given)).toBe(expected);
	});

	test.each([
		...["", "-1", "65536", "1e3", " 80", "0x50", "http"].map((given) => [parsePort, given]),
		...[undefined, "", "host", "http://host/", "ws://", "ws://a b/", "ws://host/\r\nX: y", "ws://me:secret@host/"].map((given) => [
			parseDeviceUrl,
			given,
		]),
		...["", " ", "a\nb", "é"].map((given) => [parseToken, given]),
		...["", "aa:bb:cc:dd:ee", "aa-bb-cc-dd-ee-ff", "gg:bb:cc:dd:ee:ff"].map((given) => [parseMacAddress, given]),
		...["", "1234"].map((given) => [parseUuid, given]),
		...["", "nothing", "../simulator", "simulator/"].map((given) => [parseBoard, given]),
	] as [(text: string | undefined) => unknown, string | undefined][])("%p refuses %j", (parse, given) => {
		expect(() => parse(given)).toThrow(UsageError);
	});
});

describe("a secret", () => {
	test("is in no message about an option that holds it", () => {
		for (const text of ["tcp://host?token=hidden", "tcp://me:hidden@host:1", "http://h/?token=hidden"])
			expect(() => parseFramedAddress(text)).toThrow(expect.objectContaining({ message: expect.not.stringContaining("hidden") }));
	});

	test("comes from a file or from the environment too", () => {
		const folder = mkdtempSync(join(tmpdir(), "token-"));
		writeFileSync(join(folder, "token"), "from-file\n");
		process.env.MODDABLE_MCP_TOKEN = "from-environment";
		try {
			expect(readToken(undefined, join(folder, "token"))).toBe("from-file");
			expect([readToken("given", undefined), readToken(undefined, undefined)]).toEqual(["given", "from-environment"]);
			expect(() => readToken("a", "b")).toThrow(UsageError);
			expect(() => readToken(undefined, join(folder, "none"))).toThrow(UsageError);
		} finally {
			delete process.env.MODDABLE_MCP_TOKEN;
			rmSync(folder, { recursive: true });
		}
	});

	test("is not in the line of mcconfig that is shown", () => {
		const settings = ["token=hidden", "mqtt_password=hidden", "url=ws://host/?token=hidden", "endpoint=ws://host/?a=1&b=hidden", "ssid=home"];
		const line = commandLine({ target: "esp32", output: "/tmp/x", settings });
		expect(line).not.toContain("hidden");
		expect(line).toContain("ssid=home");
	});
});

describe("the default identity", () => {
	test("stays the same on a machine and is valid and locally administered", () => {
		const address = defaultMacAddress("bench");
		expect(address).toBe(defaultMacAddress("bench"));
		expect(address).not.toBe(defaultMacAddress("other"));
		expect(parseMacAddress(address)).toMatch(/^02:/);
		expect(parseUuid(uuidOf(address))).toMatch(/^.{14}8.{4}[89ab]/);
		expect(uuidOf(address)).toBe(uuidOf(address));
	});
});
