// A photo through the whole firmware on the XS engine: from the simulated camera to a real HTTP server, and its answer back to the model.

import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { TestHub } from "../support/hub.js";
import { type BackendConnection, TestBackend } from "../support/test-backend.js";

let vision: Server;
let backend: TestBackend;
let device: RunningDevice | undefined;
let connection: BackendConnection;
let asked: { headers: IncomingMessage["headers"]; body: Buffer }[] = [];
let answer: (count: number) => { status: number; body: string } | undefined = () => ({ status: 200, body: '{"success":true,"response":"A cat"}' });

beforeEach(async () => {
	asked = [];
	vision = createServer(async (request, response) => {
		const pieces: Buffer[] = [];
		for await (const piece of request) pieces.push(piece as Buffer);
		asked.push({ headers: request.headers, body: Buffer.concat(pieces) });
		const { status, body } = answer(asked.length) ?? {};
		if (status !== undefined) response.writeHead(status, { "Content-Type": "application/json" }).end(body);
	});
	await new Promise<void>((resolve) => vision.listen(0, "127.0.0.1", resolve));
	backend = await TestBackend.listen();
	device = await runDevice({
		board: "simulator",
		config: { url: backend.url, device_id: "02:00:00:00:00:01", client_id: "00000000-0000-4000-8000-000000000001" },
	});
	connection = await backend.connection();
	await connection.hello();
	connection.send({
		type: "mcp",
		payload: {
			jsonrpc: "2.0",
			id: 1,
			method: "initialize",
			params: { capabilities: { vision: { url: `http://127.0.0.1:${(vision.address() as AddressInfo).port}/explain`, token: "vision-token" } } },
		},
	});
	await connection.reply();
});

afterEach(async () => {
	await device?.close();
	await backend.close();
	vision.closeAllConnections();
	vision.close();
});

const photo = () => connection.ask("tools/call", { name: "self.camera.take_photo", arguments: { question: "What do you see?" } });

test("is sent as a form with the device's headers, is a JPEG, and its answer is the tool's text", async () => {
	expect((await photo()).result).toEqual({ content: [{ type: "text", text: '{"success":true,"response":"A cat"}' }], isError: false });
	const [{ headers, body }] = asked as [(typeof asked)[number]];
	expect(headers).toMatchObject({
		"device-id": "02:00:00:00:00:01",
		"client-id": "00000000-0000-4000-8000-000000000001",
		authorization: "Bearer vision-token",
	});
	const form = await new Response(body, { headers: { "Content-Type": headers["content-type"] as string } }).formData();
	expect(form.get("question")).toBe("What do you see?");
	const file = Buffer.from(await (form.get("file") as File).arrayBuffer());
	expect([file.subarray(0, 4).toString("hex"), file.subarray(-2).toString("hex"), file.length > 1000]).toEqual(["ffd8ffe0", "ffd9", true]);
}, 30_000);

test("a server that fails or talks too long costs the call a sentence, and the next photo works", async () => {
	const answers = [
		{ status: 500, body: "secret" },
		{ status: 200, body: "x".repeat(1 << 20) },
	];
	answer = (count) => answers[count - 1] ?? { status: 200, body: '{"response":"again"}' };
	expect((await photo()).error).toEqual({ code: -32000, message: "No answer: the vision server answered 500" });
	expect((await photo()).error).toMatchObject({ code: -32000, message: expect.stringMatching(/^No answer: the answer is too long/) });
	expect((await photo()).result.content[0].text).toBe('{"response":"again"}');
}, 30_000);

test("an MCP client behind the gateway gets the picture itself, and reads it as a resource", async () => {
	const hub = await TestHub.start();
	try {
		await hub.board("02:00:00:00:00:02");
		const client = await hub.client("2026-07-28");
		const { content } = await client.callTool({ name: "self_camera_take_photo", arguments: { question: "What do you see?" } });
		expect(content).toMatchObject([{ type: "text" }, { type: "image", mimeType: "image/jpeg", data: expect.stringMatching(/^\/9j\/.+/) }]);
		const { resources } = await client.listResources();
		const { uri } = resources.find(({ name }: { name: string }) => name.includes("camera"));
		const [{ blob, mimeType }] = (await client.readResource({ uri })).contents;
		expect([mimeType, Buffer.from(blob, "base64").subarray(-2).toString("hex")]).toEqual(["image/jpeg", "ffd9"]);
		expect(hub.problems).toEqual([]);
	} finally {
		await hub.close();
	}
}, 30_000);
