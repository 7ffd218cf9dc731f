// `npm start` as a process: its prompt, restarts, other devices, and what it says to wrong options; start.test.ts has the demonstration.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { type Backend, startBackend } from "../../hub/backend.js";
import { PROGRAM_LIMIT_MS, Program, programStarter } from "../support/program.js";
import { DEVICE_HEADERS, ScriptedDevice } from "../support/scripted-device.js";
import { createToolBoard } from "../support/tool-board.js";

const start = programStarter("hub/start.ts");
let backend: Backend | undefined;

afterEach(async () => {
	await backend?.close();
	backend = undefined;
});

describe("npm start -- --once", () => {
	test(
		"runs a board of real hardware on its own drivers, from a folder elsewhere, and shows its strip, its lamp and its volume",
		async () => {
			const elsewhere = mkdtempSync(join(tmpdir(), "moddable-mcp-"));
			cpSync("boards/bread_compact", join(elsewhere, "my_board"), { recursive: true });
			const { code, stdout, stderr } = await new Program("hub/start.ts", ["--once", "--board", "./my_board"], { INIT_CWD: elsewhere }).exited;
			rmSync(elsewhere, { recursive: true });
			expect([stderr, code]).toEqual(["", 0]);
			expect(stdout).toMatch(/^device +board .*my_board on/m);
			expect(stdout).toMatch(/set_volume \{"volume":50\}\n +speaker +volume 50\n +← true/);
			expect(stdout).toMatch(/light +on true, brightness 25, pixels #ff6000\n/);
			expect(stdout).not.toMatch(/gpio18/);
			expect(stdout).toMatch(/lamp +on true\n/);
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"ends with 1 and the reason when it is interrupted",
		async () => {
			const program = start("--once");
			await program.output(/listens on/);
			program.signal("SIGINT");
			expect(await program.exited).toMatchObject({ code: 1, stderr: "interrupted\n" });
		},
		PROGRAM_LIMIT_MS,
	);
});

describe("npm start", () => {
	test(
		"takes commands, says what is wrong with them, and ends at the end of its input",
		async () => {
			const program = start();
			let at = await program.output(/Now you: /);
			async function ask(line: string, answer: RegExp): Promise<void> {
				program.type(line);
				at = await program.output(answer, at);
			}
			await ask("help", /quit +ends the program/);
			await ask("help set_volume", /"maximum": 100/);
			await ask("tools", /self\.get_device_status +–/);
			await ask("user", /self\.reboot +–/);
			await ask("state", /speaker +volume 50/);
			await ask('call self.audio_speaker.set_volume {"volume": 30}', /speaker +volume 30\n +← true/);
			await ask('call self.audio_speaker.set_volume {"volume": 300}', /← error -\d+: .*volume/);
			await ask("call self.nothing", /← error -32601: Unknown tool: self\.nothing/);
			await ask("call self.get_device_status {", /That is not JSON/);
			await ask("call self.get_device_status []", /must be a JSON object/);
			await ask("call", /needs the name of a tool/);
			await ask("dance", /There is no command "dance"/);
			program.endInput();
			expect(await program.exited).toMatchObject({ code: 1, stderr: "" });
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"follows the device through a reboot, which keeps the volume and forgets the light",
		async () => {
			const program = start();
			let at = await program.output(/Now you: /);
			program.type('call self.audio_speaker.set_volume {"volume": 17}');
			at = await program.output(/← true/, at);
			program.type('call self.light.set_rgb {"r": 1, "g": 2, "b": 3}');
			at = await program.output(/← true/, at);
			program.type("call self.reboot");
			at = await program.output(/device +restarts/, at);
			at = await program.output(/device +is back, in a new session/, at);
			program.type("call self.get_device_status");
			at = await program.output(/"volume":17/, at);
			program.type("call self.light.get_power");
			at = await program.output(/← false/, at);
			program.type("quit");
			expect(await program.exited).toMatchObject({ code: 0, stderr: "" });
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"keeps the prompt for its own board when another device connects",
		async () => {
			const program = start();
			let at = await program.output(/Now you: /);
			const url = /listens on (\S+)/.exec(program.stdout)?.[1] ?? "";
			const other = await ScriptedDevice.connect(url, createToolBoard().answers, { ...DEVICE_HEADERS, "Device-Id": "02:00:00:00:00:77" });
			await other.hello();
			at = await program.output(/another device +scripted 1\.2\.3/, at);
			program.type("tools");
			at = await program.output(/self\.servo\.set_angle/, at);
			program.type('call self.servo.set_angle {"servo": 0, "angle": 10}');
			at = await program.output(/← true/, at);
			other.close();
			await program.output(/the session of 02:00:00:00:00:77 ended/, at);
			program.type("quit");
			expect(await program.exited).toMatchObject({ code: 0, stderr: "" });
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"ends cleanly with Ctrl-C",
		async () => {
			const program = start();
			await program.output(/Now you: /);
			program.signal("SIGINT");
			expect(await program.exited).toMatchObject({ code: 0, stderr: "" });
		},
		PROGRAM_LIMIT_MS,
	);
});

describe("wrong options", () => {
	test.each([
		[["--port", "high"], /--port must be a whole number/],
		[["--board", "nothing"], /There is no board "nothing".* The boards are: .*simulator/],
		[["--twice"], /--twice/],
		[["--bord", "otto"], /^Unknown option '--bord'. Did you mean --board\?/],
		[["--board", "oto"], /There is no board "oto": .* Did you mean otto\?/],
	])(
		"%j end with 2 and say why",
		async (args, reason) => {
			const { code, stdout, stderr } = await start(...args).exited;
			expect(stderr).toMatch(reason);
			expect(stderr).toMatch(/^[^\n]* \(--help shows the usage\)\n$/);
			expect([code, stdout]).toEqual([2, ""]);
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"a port that is in use ends with 1 and says so",
		async () => {
			backend = await startBackend();
			const { code, stderr } = await start("--once", "--port", String(backend.port)).exited;
			expect([code, stderr]).toEqual([1, `port ${backend.port} on 127.0.0.1 is in use; choose another with --port\n`]);
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"a board with a part that cannot be simulated ends with 1 and says where it runs",
		async () => {
			const board = mkdtempSync(join(tmpdir(), "moddable-mcp-"));
			const folder = join(board, "odd_board");
			cpSync("boards/bread_compact", folder, { recursive: true });
			writeFileSync(join(folder, "board.ts"), `import "piu/MC";\n${readFileSync(join(folder, "board.ts"), "utf8")}`);
			const { code, stderr } = await start("--once", "--board", folder).exited;
			rmSync(board, { recursive: true });
			expect(stderr).toMatch(/^board .*odd_board needs its own hardware and cannot run here; npm run flash/);
			expect(stderr).toContain('imports "piu/MC", which the simulator does not have');
			expect(code).toBe(1);
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"--help shows the usage and ends with 0",
		async () => {
			const { code, stdout } = await start("--help").exited;
			expect(stdout).toContain("--once");
			expect(code).toBe(0);
		},
		PROGRAM_LIMIT_MS,
	);
});
