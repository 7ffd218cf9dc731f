// What the firmware promises over wss://, to a server of a CA that its configuration names, whatever machine it runs on.

import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Certificate, makeCertificate } from "../support/certificates.mjs";
import { type BackendConnection, TestBackend } from "../support/test-backend.js";
import type { Firmware, Launcher } from "./sessions.js";

/** What connects again waits for seconds, in real time on some machines. */
const RECONNECTING_MS = 60_000;
const CONFIGURATION = { token: "test-token", device_id: "02:00:00:00:00:01", certificate: "own-ca.der" };

/**
 * @param ca what the firmware finds as "own-ca.der"
 * @param launcher says on which machine
 */
export function describeSecureSessions(machine: string, ca: Certificate, launcher: Launcher): void {
	describe(`the firmware over wss:// on ${machine}`, () => {
		const names = ["localhost"];
		const good = makeCertificate({ name: "localhost", names, issuer: ca, key: "rsa" });
		const stranger = makeCertificate({ name: "localhost", names, issuer: makeCertificate({ name: "Stranger", authority: true }) });
		const elsewhere = makeCertificate({ name: "elsewhere", names: ["example.com"], issuer: ca });
		let backend: TestBackend;
		let firmware: Firmware;
		let device: BackendConnection;

		beforeAll(async () => {
			backend = await TestBackend.listen({ certificate: good, ...(launcher.port ? { port: launcher.port } : {}) });
			firmware = await launcher.launch({ ...CONFIGURATION, url: backend.url });
			device = await backend.session();
		});

		afterAll(async () => {
			await firmware?.close();
			await backend?.close();
		});

		test("brings its token and ids", () => {
			const { headers, socket } = device.request;
			expect(headers).toMatchObject({ authorization: "Bearer test-token", "device-id": "02:00:00:00:00:01", connection: "Upgrade" });
			expect((socket as { getProtocol?(): string }).getProtocol?.()).toBe("TLSv1.2");
		});

		test("answers calls with texts of many records, and many at once", async () => {
			expect(await device.call("self.audio_speaker.set_volume", { volume: 33 })).toBe("true");
			expect(await device.call("test.echo", { text: "音量😀".repeat(200) })).toBe("音量😀".repeat(200));
			expect(await device.call("test.large", { length: 7000 })).toHaveLength(7000);
			for (let i = 0; i < 50; i++) device.sendRequest("tools/call", { name: "test.echo", arguments: { text: `${i}` } }, i);
			for (let i = 0; i < 50; i++) expect(await device.reply()).toMatchObject({ id: i, result: { content: [{ text: `${i}` }] } });
		});

		test.each<[string, () => Certificate, RegExp]>([
			["of a CA that it does not trust", () => stranger, /session: TLS failed: no CA that is trusted here has signed .*; connecting again in/],
			[
				"for another name",
				() => elsewhere,
				/session: TLS failed: the server's certificate is for example\.com, not for localhost; connecting again in/,
			],
		])(
			"refuses a certificate %s, says so, and connects again once it is the right one",
			async (_title, certificate, words) => {
				backend.show(certificate());
				device.socket.terminate();
				expect(await firmware.logged(words)).toBeTruthy();
				backend.show(good);
				device = await backend.session();
				expect(await device.call("test.echo", { text: "again" })).toBe("again");
			},
			RECONNECTING_MS,
		);

		test("has thrown nothing that nobody caught", () => {
			expect(firmware.log.filter((line) => /abort|unhandled|not within a callback/i.test(line))).toEqual([]);
		});
	});
}
