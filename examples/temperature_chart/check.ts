// The picture is a PNG that decoders accept, with one bar for the one reading that there is.

import { crc32, inflateSync } from "node:zlib";
import type { Bench } from "../bench.js";

export default async function check({ result, expect }: Bench): Promise<void> {
	const { content } = await result("self.temperature.draw");
	expect(content).toMatchObject([
		{ type: "text", text: expect.stringMatching(/^Now [\d.]+ °C/) },
		{ type: "image", mimeType: "image/png" },
	]);
	const picture = Buffer.from(content[1].data, "base64");
	const chunks = new Map<string, Buffer>();
	for (let at = 8; at < picture.length; ) {
		const end = at + 8 + picture.readUInt32BE(at);
		expect(picture.readUInt32BE(end)).toBe(crc32(picture.subarray(at + 4, end)));
		chunks.set(picture.toString("latin1", at + 4, at + 8), picture.subarray(at + 8, end));
		at = end + 4;
	}
	const header = chunks.get("IHDR");
	expect([header?.readUInt32BE(0), header?.readUInt32BE(4)]).toEqual([120, 48]);
	const pixels = inflateSync(chunks.get("IDAT") as Buffer);
	expect(pixels.length).toBe(16 * 48);
	// The lowest line is white but for its last two points.
	expect([...pixels.subarray(16 * 47 + 1)]).toEqual([...Array(14).fill(0xff), 0xfc]);
}
