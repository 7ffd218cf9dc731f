// What a vision server is sent, and what becomes of its answers.

import { describe, expect, test } from "@jest/globals";
import type { HttpOptions } from "http/client";
import { createVision, VISION_TIMEOUT_MS } from "system/vision";
import { ManualTimers } from "../mcp/support.js";

const PHOTO = new Uint8Array([0xff, 0xd8, 1, 2, 3, 0xff, 0xd9]);

function createSee(answer: { status: number; text: string } | Error = { status: 200, text: '{"response":"A cat"}' }) {
	const asked: HttpOptions[] = [];
	const see = createVision({
		timers: new ManualTimers(),
		deviceId: "aa:bb",
		clientId: "uuid",
		async request(options) {
			asked.push(options);
			if (answer instanceof Error) throw answer;
			return answer;
		},
	});
	return { see, asked };
}

test("the question and the picture go out as a form, with the four headers, the picture from where it lies", async () => {
	const { see, asked } = createSee();
	expect(await see(PHOTO, "What is it?", { url: "http://host:8003/vision?x=1", token: "secret" })).toBe('{"response":"A cat"}');
	const [{ url, method, headers, parts = [], timeoutMs }] = asked as [HttpOptions];
	expect([url.authority, url.path, method, timeoutMs]).toEqual(["host:8003", "/vision?x=1", "POST", VISION_TIMEOUT_MS]);
	const given = new Headers((headers ?? []).map(([name, value]) => [name, value]));
	expect([given.get("Device-Id"), given.get("Client-Id"), given.get("Authorization")]).toEqual(["aa:bb", "uuid", "Bearer secret"]);
	expect(parts[1]).toBe(PHOTO);
	const form = await new Response(Buffer.concat(parts), { headers: given }).formData();
	expect([...form.keys()]).toEqual(["question", "file"]);
	expect(form.get("question")).toBe("What is it?");
	const file = form.get("file") as File;
	expect([file.name, file.type]).toEqual(["camera.jpg", "image/jpeg"]);
	expect(new Uint8Array(await file.arrayBuffer())).toEqual(PHOTO);
});

test("a question cannot end its part, nor can a token end its header; no token, no header", async () => {
	const { see, asked } = createSee();
	await see(PHOTO, 'x\r\n------moddable-mcp-photo\r\nContent-Disposition: form-data; name="file"\r\n\r\n', { url: "http://host/", token: "" });
	const [{ headers = [], parts = [] }] = asked as [HttpOptions];
	const form = await new Response(Buffer.concat(parts), { headers: headers.map(([name, value]) => [name, value]) as [string, string][] }).formData();
	expect([...form.keys()]).toEqual(["question", "file"]);
	expect(headers.map(([name]) => name)).not.toContain("Authorization");
	await expect(see(PHOTO, "x", { url: "http://host/", token: "a\r\nX: y" })).rejects.toThrow("the vision server's token cannot be sent");
	expect(asked).toHaveLength(1);
});

describe("in words is refused", () => {
	test.each([
		[{ status: 500, text: "secret" }, "the vision server answered 500"],
		[{ status: 200, text: " " }, "the vision server's answer is empty"],
		[new Error("no whole answer within 20 s"), "no whole answer within 20 s"],
	])("an answer as %p", async (answer, problem) => {
		await expect(createSee(answer).see(PHOTO, "x", { url: "http://host/", token: "" })).rejects.toThrow(problem);
	});

	test("an address that is none", async () => {
		await expect(createSee().see(PHOTO, "x", { url: "ftp://host/", token: "" })).rejects.toThrow("must begin with http:// or https://");
	});
});
