// Every board starts in Moddable's simulator and answers there; `npm run test:moddable -- boards` builds them and runs this.

import { expect, test } from "@jest/globals";
import { launchModdable } from "../support/moddable.js";
import { TestBackend } from "../support/test-backend.js";

const { MODDABLE_PORT, MODDABLE_APPS } = process.env;
if (!MODDABLE_PORT || !MODDABLE_APPS) throw new Error("run these tests by `npm run test:moddable`");
const apps: { readonly [board: string]: readonly string[] } = JSON.parse(MODDABLE_APPS);

test.each(Object.entries(apps))("%s starts with all its parts and answers a call", async (board, command) => {
	const backend = await TestBackend.listen({ port: Number(MODDABLE_PORT) });
	const firmware = launchModdable(command);
	try {
		const connection = await backend.session();
		const { result } = await connection.ask("initialize", { protocolVersion: "2025-11-25", capabilities: {} });
		expect(result.serverInfo.name).toBe(board);
		expect(await connection.call("self.get_device_status")).toContain('"network"');
		const { error, result: photo } = await connection.ask("tools/call", { name: "self.camera.take_photo", arguments: { question: "What is it?" } });
		if (!error) expect(photo.content[1]).toMatchObject({ type: "image", data: expect.stringMatching(/^\/9j\//) });
		else expect(error.message).toBe("Unknown tool: self.camera.take_photo");
		expect(firmware.log.filter((line) => /starts without its|exception|abort/i.test(line))).toEqual([]);
	} finally {
		await firmware.close();
		await backend.close();
	}
});
