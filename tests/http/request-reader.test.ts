// HTTP requests as visitors may send them: whole, in pieces, malformed, without end.

import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { MAX_REQUEST_HEAD_BYTES, RequestReader } from "../../src/http/request-reader.js";

const MAX_BODY = 1000;
const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const createReader = () => new RequestReader({ headers: ["host", "content-type"], maxBodyBytes: MAX_BODY });

/** Reads a text in pieces of a size. */
function read(text: string, size = text.length) {
	const reader = createReader();
	let status: number | undefined;
	for (let at = 0; at < text.length && status === undefined; at += size) status = reader.take(bytes(text.slice(at, at + size)));
	return { status, reader };
}

const POST = "POST /mcp?x=1 HTTP/1.1\r\nHost: a:80\r\nX-Other: b\r\nhost: c\r\n";
const WHOLE = {
	"by its length": `${POST}Content-Length: 5\r\n\r\nhello`,
	"in chunks": `${POST}Transfer-Encoding: Chunked\r\n\r\n2;ext=1\r\nhe\r\n3\r\nllo\r\n0\r\nTrailer: x\r\n\r\n`,
};

describe.each(Object.entries(WHOLE))("a body %s", (_title, text) => {
	test.each([1, 2, 3, 7, 1000])("comes whole in pieces of %i bytes, and the next request behind it", (size) => {
		const { status, reader } = read(`${text}GET / HTTP/1.1\r\n\r\n`, size);
		expect(status).toBeUndefined();
		expect([reader.request?.method, reader.request?.path, reader.request?.header("host"), reader.request?.header("content-type")]).toEqual([
			"POST",
			"/mcp?x=1",
			"a:80, c",
			undefined,
		]);
		expect(Buffer.from(reader.body).toString()).toBe("hello");
		reader.next();
		expect([reader.take(new Uint8Array(0)), reader.complete, reader.request?.method, reader.body.length]).toEqual([undefined, true, "GET", 0]);
		reader.next();
		expect([reader.begun, reader.complete]).toEqual([false, false]);
	});

	test("is not complete before its last byte", () => {
		expect(read(text.slice(0, -1)).reader.complete).toBe(false);
	});
});

test.each<[string, string, number]>([
	["no HTTP", "hello\r\n\r\n", 400],
	["a path without its slash", "GET http://x/ HTTP/1.1\r\n\r\n", 400],
	["an older version", "GET / HTTP/1.0\r\n\r\n", 505],
	["a header without a name", "GET / HTTP/1.1\r\n: x\r\n\r\n", 400],
	["a folded header", "GET / HTTP/1.1\r\na: b\r\n c\r\n\r\n", 400],
	["a header with a space before its colon", "GET / HTTP/1.1\r\nhost : x\r\n\r\n", 400],
	["an unknown coding", `${POST}transfer-encoding: gzip\r\n\r\n`, 501],
	["two ways to end", `${POST}transfer-encoding: chunked\r\ncontent-length: 1\r\n\r\n`, 400],
	["a length that is no number", `${POST}content-length: -1\r\n\r\n`, 400],
	["two lengths", `${POST}content-length: 1\r\ncontent-length: 2\r\n\r\n`, 400],
	["a body over the limit", `${POST}content-length: ${MAX_BODY + 1}\r\n\r\n`, 413],
	["chunks over the limit", `${POST}transfer-encoding: chunked\r\n\r\n${"1f4\r\n".concat("x".repeat(500), "\r\n").repeat(3)}`, 413],
	["a chunk without a size", `${POST}transfer-encoding: chunked\r\n\r\n\r\n`, 400],
	["a chunk that is too long", `${POST}transfer-encoding: chunked\r\n\r\n1\r\nxx\r\n`, 400],
	["a chunk's line without end", `${POST}transfer-encoding: chunked\r\n\r\n${"1".repeat(300)}`, 400],
	["trailers without end", `${POST}transfer-encoding: chunked\r\n\r\n0\r\n${"a: b\r\n".repeat(100)}`, 400],
	["a head without end", `GET / HTTP/1.1\r\n${"a: b\r\n".repeat(MAX_REQUEST_HEAD_BYTES / 6)}`, 431],
])("%s is refused, however it is cut", (_title, text, status) => {
	for (const size of [1, 5, text.length]) expect(read(text, size).status).toBe(status);
});

test("a body up to the limit is taken", () => {
	expect(read(`${POST}content-length: ${MAX_BODY}\r\n\r\n${"x".repeat(MAX_BODY)}`).reader.body).toHaveLength(MAX_BODY);
});

test("whatever comes, it neither throws nor keeps more than a head and a body", () => {
	const pieces = fc.array(fc.oneof(fc.uint8Array({ maxLength: 600 }), fc.constantFrom(...Object.values(WHOLE), POST, "\r\n\r\n").map(bytes)), {
		maxLength: 20,
	});
	fc.assert(
		fc.property(pieces, (all) => {
			const reader = createReader();
			for (const piece of all) {
				if (reader.take(piece) !== undefined) break;
				if (reader.complete) reader.next();
				expect(reader.body.byteLength).toBeLessThanOrEqual(MAX_BODY);
			}
		}),
	);
});
