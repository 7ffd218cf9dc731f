// Who gets a photo: the vision server that the peer named, the peer itself, or nobody.

import { expect, jest, test } from "@jest/globals";
import { defineTools } from "mcp/tool-list";
import { takePhoto } from "tools/camera";
import { STANDARD } from "../../src/mcp/dialect.js";
import { ENDPOINT } from "../../src/session/endpoint.js";
import { ENVELOPE } from "../../src/session/envelope.js";
import { createPeer, settle } from "../mcp/support.js";

const VISION = { url: "http://vision/", token: "t" };

function setUp(dialect = STANDARD, protocolVersion = "2025-11-25", vision?: object, bytes = new Uint8Array([0xff, 0xd8, 0xff, 0xe0])) {
	const closed = jest.fn();
	const see = jest.fn(async (..._given: unknown[]) => '{"response":"A cat"}');
	const base64 = jest.fn(() => [Buffer.from(bytes).toString("base64")]);
	const camera = { busy: false, take: async () => ({ bytes, base64, close: closed }), close() {} };
	const peer = createPeer({ camera, services: { see } } as never, defineTools<never>([takePhoto as never], []), dialect);
	peer.ask("initialize", { protocolVersion, capabilities: vision ? { vision } : {} });
	const photo = async () => {
		peer.call("self.camera.take_photo", { question: "What is it?" });
		await settle();
		const { result, error } = JSON.parse(peer.sent.at(-1) as string);
		return error ?? result.content;
	};
	return { photo, closed, see, base64, camera };
}

test.each([
	["over HTTP", STANDARD, "2025-11-25"],
	["on an endpoint of an old revision", ENDPOINT, "2024-11-05"],
	["in an envelope of a revision with rich results", ENVELOPE, "2025-11-25"],
])("a peer %s gets the picture behind a word, and the camera its memory back", async (_, dialect, revision) => {
	const { photo, closed } = setUp(dialect, revision);
	expect(await photo()).toEqual([
		{ type: "text", text: expect.stringContaining("photo") },
		{ type: "image", data: "/9j/4A==", mimeType: "image/jpeg" },
	]);
	expect(closed).toHaveBeenCalledTimes(1);
});

test("where a vision server is named, that one looks", async () => {
	const { photo, see, base64, closed } = setUp(ENVELOPE, "2024-11-05", VISION);
	expect(await photo()).toEqual([{ type: "text", text: '{"response":"A cat"}' }]);
	expect(see).toHaveBeenCalledWith(expect.anything(), "What is it?", VISION);
	expect(base64).not.toHaveBeenCalled();
	expect(closed).toHaveBeenCalledTimes(1);
});

test("a backend without vision, whose messages have 8 KB, is told so before a photo is taken", async () => {
	const { photo, closed } = setUp(ENVELOPE, "2024-11-05");
	expect(await photo()).toEqual({ code: -32000, message: "This connection has no vision server that could look at a photo" });
	expect(closed).not.toHaveBeenCalled();
});

test("a picture that is larger than a result may be is not turned into text", async () => {
	const { photo, base64, closed } = setUp(STANDARD, "2025-11-25", undefined, new Uint8Array(50_000));
	expect(await photo()).toEqual([{ type: "text", text: "No answer: the photo is too large, 66668 bytes, and at most 64512 can be sent" }]);
	expect(base64).not.toHaveBeenCalled();
	expect(closed).toHaveBeenCalledTimes(1);
});

test("one photo at a time", async () => {
	const { photo, camera } = setUp();
	camera.busy = true;
	expect(await photo()).toEqual([{ type: "text", text: "A photo is being taken already" }]);
});
