// `npm run device` from end to end: the device alone as a process, against a backend in this one.

import { afterEach, describe, expect, test } from "@jest/globals";
import { type Backend, type BackendOptions, type DeviceSession, startBackend } from "../../simulator/backend.js";
import { Program } from "../support/program.js";

const LIMIT_MS = 60_000;
let program: Program | undefined;
let backend: Backend | undefined;

afterEach(async () => {
	await program?.close();
	await backend?.close();
	program = backend = undefined;
}, LIMIT_MS);

const device = (...args: string[]) => {
	program = new Program("device.ts", args);
	return program;
};

/** A backend, and the next session with it. */
async function listen(options: BackendOptions = {}) {
	let onSession: (session: DeviceSession) => void = () => {};
	const session = new Promise<DeviceSession>((resolve) => {
		onSession = resolve;
	});
	const problems: string[] = [];
	backend = await startBackend({ onSession, onProblem: (problem) => problems.push(problem), ...options });
	return { backend, session, problems };
}

describe("npm run device", () => {
	test.each(["SIGTERM", "SIGINT"] as const)(
		"connects with its token and ids, answers calls, and ends within 2 s of %s",
		async (signal) => {
			const { backend, session, problems } = await listen({ token: "s3cret" });
			const program = device(
				"--url",
				backend.url,
				"--token",
				"s3cret",
				"--device-id",
				"02:00:00:00:00:07",
				"--client-id",
				"5f3b1f0e-2c4d-4a6b-8c8d-9e0f1a2b3c4d",
			);
			const connected = await session;
			expect([connected.deviceId, connected.clientId]).toEqual(["02:00:00:00:00:07", "5f3b1f0e-2c4d-4a6b-8c8d-9e0f1a2b3c4d"]);
			await connected.initialize();
			expect((await connected.listTools()).length).toBeGreaterThan(8);
			expect(await connected.callTool("self.audio_speaker.set_volume", { volume: 23 })).toMatchObject({ isError: false });
			await program.output(/show speaker +volume 23/);
			const before = performance.now();
			program.signal(signal);
			expect(await program.exited).toMatchObject({ code: 0, stderr: "" });
			expect(performance.now() - before).toBeLessThan(2000);
			await connected.ended;
			expect(problems).toEqual([]);
			expect(program.stdout).not.toContain("s3cret");
		},
		LIMIT_MS,
	);

	test(
		"has the same device id at every start",
		async () => {
			const ids: string[] = [];
			for (let round = 0; round < 2; round++) {
				const { backend, session } = await listen();
				const program = device("--url", backend.url, "--engine", "node");
				ids.push((await session).deviceId);
				await program.output(/on Node/);
				await program.close();
				await backend.close();
			}
			expect(ids[0]).toMatch(/^02(:[0-9a-f]{2}){5}$/);
			expect(ids[1]).toBe(ids[0]);
		},
		LIMIT_MS,
	);

	test(
		"ends in time while it cannot connect",
		async () => {
			const { backend } = await listen({ token: "s3cret" });
			const program = device("--url", backend.url, "--token", "wrong");
			await program.output(/401/);
			program.signal("SIGTERM");
			expect((await program.exited).code).toBe(0);
		},
		LIMIT_MS,
	);

	test(
		"connects again when the backend ends the session",
		async () => {
			const sessions: DeviceSession[] = [];
			let arrived: () => void = () => {};
			const { backend } = await listen({
				onSession: (session) => {
					sessions.push(session);
					if (sessions.length === 1) session.close();
					else arrived();
				},
			});
			const again = new Promise<void>((resolve) => {
				arrived = resolve;
			});
			device("--url", backend.url);
			await again;
			expect(sessions[1]?.id).not.toBe(sessions[0]?.id);
		},
		LIMIT_MS,
	);

	test.each([
		[[], /--url is missing/],
		[["--url", "http://127.0.0.1/"], /ws:\/\/ or wss:\/\//],
		[["--url", "ws://127.0.0.1/", "--device-id", "12"], /--device-id/],
		[["--url", "ws://127.0.0.1/", "--engine", "v8"], /--engine must be xs or node/],
		[["--url", "ws://127.0.0.1/", "--board", "nothing"], /There is no board "nothing"/],
	])(
		"ends with 2 and says why for %j",
		async (args, reason) => {
			const { code, stderr } = await device(...args).exited;
			expect(stderr).toMatch(reason);
			expect(code).toBe(2);
		},
		LIMIT_MS,
	);
});
