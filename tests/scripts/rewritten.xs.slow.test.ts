// The firmware rewritten as for the flash of a chip, on the XS engine: it does what it does unchanged.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import type { BuildOptions } from "esbuild";
import { rewriteParts } from "../../scripts/flash-bundle.js";
import { runEsbuild } from "../../simulator/esbuild.js";
import { describeSessions, type Launcher } from "../firmware/sessions.js";
import { createLauncher } from "../support/launch.js";
import { TestBackend } from "../support/test-backend.js";

/** Modules that become files of their own with what they import, as what is preloaded is apart from the rest in a release build. */
const APART = ["mcp/server", "transports/websocket", "session/session-manager"];

async function make(options: BuildOptions): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), "rewritten-"));
	try {
		const entries = Object.fromEntries(APART.map((name, i) => [`apart${i}`, resolve("src", `${name}.ts`)]));
		const { outfile, sourcemap, sourcesContent, ...rest } = options;
		const parts = await runEsbuild({ ...rest, entryPoints: entries, outdir: join(folder, "out"), format: "esm", splitting: true, write: false });
		const { modules } = await rewriteParts(folder, parts.outputFiles ?? [], ["stdin"]);
		return modules.get("./stdin.js") ?? "";
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const plain = createLauncher("xs");
const rewritten = createLauncher("xs", {}, { make });

describeSessions("the XS engine, rewritten", rewritten);

/** Good and bad messages, of which each is answered. */
const REQUESTS: readonly [method: string, params?: object][] = [
	["initialize", { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "c", version: "1" } }],
	["tools/list", {}],
	["tools/list", { withUserTools: true }],
	["tools/list", { cursor: "nowhere" }],
	["tools/call", { name: "self.audio_speaker.set_volume", arguments: { volume: 40 } }],
	["tools/call", { name: "self.audio_speaker.set_volume", arguments: { volume: 101 } }],
	["tools/call", { name: "self.nothing", arguments: {} }],
	["tools/call", { name: "test.throws" }],
	["tools/call", { name: "test.refuses" }],
	["tools/call", { name: "test.structured" }],
	["tools/call", { name: "test.large", arguments: { length: 20_000 } }],
	["tools/call", { name: "test.echo", arguments: { text: "ä灯🚀" } }],
	["tools/call", { name: "test.echo", arguments: { text: Array(300).fill(1) } }],
	["resources/list", {}],
	["resources/read", { uri: "board://status" }],
	["no/such", {}],
	["ping"],
];

/** What a firmware answers, as it comes. */
async function answers(launcher: Launcher): Promise<string[]> {
	const backend = await TestBackend.listen();
	const firmware = await launcher.launch(backend.url);
	try {
		const device = await backend.connection();
		await device.hello("session");
		const texts: string[] = [];
		device.socket.on("message", (data) => texts.push(String(data)));
		for (const [i, [method, params]] of REQUESTS.entries()) await device.ask(method, params, i);
		return texts;
	} finally {
		await firmware.close();
		await backend.close();
	}
}

test("the firmware, rewritten as for a chip, answers with the same bytes", async () => {
	const [expected, found] = [await answers(plain), await answers(rewritten)];
	expect(expected.length).toBeGreaterThanOrEqual(REQUESTS.length);
	expect(found).toEqual(expected);
});
