// `npm start` from end to end: the firmware, the backend and the demonstration, as a process.

import { expect, test } from "@jest/globals";
import { PROGRAM_LIMIT_MS, programStarter } from "../support/program.js";

const start = programStarter("hub/start.ts");

test(
	"npm start -- --once shows the engine, hello both ways, the tools and calls that move the board, and ends with 0",
	async () => {
		const { code, stdout, stderr } = await start("--once").exited;
		expect(stderr).toBe("");
		expect(code).toBe(0);
		expect(stdout).toMatch(/^device +board simulator on (the XS engine|Node, not the XS engine: .+)$/m);
		expect(stdout).toMatch(/^device → backend +\{"type":"hello","version":1/m);
		expect(stdout).toMatch(/^backend → device +\{"type":"hello","transport":"websocket","session_id"/m);
		expect(stdout).toMatch(/^initialize +simulator .+, MCP \d{4}-\d\d-\d\d$/m);
		expect(stdout).toMatch(/^page +http:\/\/127\.0\.0\.1:\d+\/$/m);
		expect(stdout).toMatch(/self\.audio_speaker\.set_volume +volume: 0–100 +\S/);
		expect(stdout).toMatch(/→ self\.audio_speaker\.set_volume \{"volume":50\}\n +speaker +volume 50\n +← true/);
		expect(stdout).toMatch(/strip +on true, .*#ff6000 ×8/);
		expect(stdout).toMatch(/left arm +.*45°/);
		expect(stdout).toMatch(/← error -32601: Unknown tool: self\.no_such_tool/);
		expect(stdout).toMatch(/All of it worked/);
		expect(stdout).not.toContain("\x1b");
	},
	PROGRAM_LIMIT_MS,
);
