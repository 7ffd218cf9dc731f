// What HTTP requests promise: whole answers in every form, and a reason in words for everything else.

import { requestHttp, requestText } from "http/client";
import { parseHttpUrl } from "net/address";
import Timer from "timer";
import type { Check, Scenario } from "../support/scenario.js";

const at = (check: Check, path: string) => parseHttpUrl(`http://127.0.0.1:${check.port}${path}`);

const ANSWERS: readonly (readonly [path: string, status: number, text: string])[] = [
	["/text", 200, "hällö"],
	["/without-phrase", 200, "ok"],
	["/http-1.0", 200, "until the end"],
	["/no-content", 204, ""],
	["/empty", 200, ""],
	["/continue", 200, "ok"],
	["/chunked", 200, "abc0123456789"],
	["/byte-by-byte", 200, "abcde"],
	["/redirect", 200, "hällö"],
	["/deep/redirect", 200, "hällö"],
	["/redirect-absolute", 200, "hällö"],
	["/404", 404, "nope"],
];

const PROBLEMS: readonly (readonly [path: string, problem: string])[] = [
	["/large", "the answer is too long: 1048576 bytes, at most 4096 are read"],
	["/large-until-end", "the answer is too long: at most 4096 are read"],
	["/large-chunked", "the answer is too long: at most 4096 are read"],
	["/cut", "the connection was lost, 91 bytes before the end of the answer"],
	["/cut-in-head", "the connection was lost in the head of the answer"],
	["/cut-in-chunk", "the connection was lost before the end of the answer"],
	["/hang-up", "the server ended the connection without an answer"],
	["/garbage", 'the server does not speak HTTP: "'],
	["/no-status", 'the answer has no status: "HTTP/1.1 OK"'],
	["/bad-length", 'the content-length "many" is no number'],
	["/negative-length", 'the content-length "-1" is no number'],
	["/bad-chunk", "the server broke the protocol: a chunk without a size"],
	["/long-chunk", "the server broke the protocol: a chunk that is too long"],
	["/endless-chunk-line", "the server broke the protocol: a line between chunks is too long"],
	["/gzip", 'the transfer encoding "gzip" is not known'],
	["/huge-head", "the head of the answer is over 8192 bytes"],
	["/redirect-loop", "more than 5 redirects"],
	["/redirect-odd", "redirected to an address that cannot be used: the web address must begin with http:// or https://"],
];

/** Rejects with the problem, or resolves with what came. */
async function problemOf(options: Omit<Parameters<typeof requestText>[0], "timers">): Promise<string> {
	try {
		const { status, text } = await requestText({ timers: Timer, ...options });
		return `an answer: ${status} ${text.slice(0, 40)}`;
	} catch (error) {
		return (error as Error).message;
	}
}

export const httpScenarios: readonly Scenario[] = [
	...ANSWERS.map(
		([path, status, text]): Scenario => ({
			title: `${path}: gives ${status} and the text`,
			async run(check) {
				check.same(await requestText({ timers: Timer, url: at(check, path) }), { status, text });
			},
		}),
	),
	...PROBLEMS.map(
		([path, problem]): Scenario => ({
			title: `${path}: ends with "${problem}"`,
			async run(check) {
				const found = await problemOf({ url: at(check, path) });
				check.that(found.startsWith(problem), `it ended with: ${found}`);
			},
		}),
	),
	{
		title: "takes a text as long as the limit",
		async run(check) {
			check.same((await requestText({ timers: Timer, url: at(check, "/just-fits") })).text.length, 4096);
		},
	},
	{
		title: "takes a text in thousands of chunks",
		async run(check) {
			check.same((await requestText({ timers: Timer, url: at(check, "/one-byte-chunks") })).text.length, 4096);
		},
	},
	{
		title: "sends path, Host with the port, headers and a body in pieces",
		async run(check) {
			const body = "ä灯🚀".repeat(800);
			const { status, text } = await requestText({
				timers: Timer,
				url: at(check, "/request"),
				method: "POST",
				headers: [["Device-Id", "aa:bb"]],
				body,
			});
			check.same(status, 201);
			const about = JSON.parse(text) as { head: string[]; bytes: number };
			check.same(about.bytes, 7200);
			check.same(about.head[0], "POST /request HTTP/1.1");
			for (const line of [`host: 127.0.0.1:${check.port}`, "Device-Id: aa:bb", "connection: close", "content-length: 7200"])
				check.that(about.head.includes(line), `${line} is not in ${about.head.join(" | ")}`);
		},
	},
	{
		title: "gives up at its time limit",
		async run(check) {
			check.same(await problemOf({ url: at(check, "/nothing"), timeoutMs: 100 }), "no whole answer within 0.1 s");
		},
	},
	{
		title: "says where nobody listens",
		async run(check) {
			check.same(await problemOf({ url: parseHttpUrl("http://127.0.0.1:9/") }), "could not connect to 127.0.0.1:9");
		},
	},
	{
		title: "refuses at once what cannot work",
		async run(check) {
			check.same(await problemOf({ url: parseHttpUrl("https://127.0.0.1/") }), "an https:// address needs TLS, which this build was not given");
		},
	},
	{
		title: "tells nothing after close",
		async run(check) {
			let told = 0;
			const request = requestHttp(
				{ timers: Timer, url: at(check, "/text") },
				{
					onHead: () => void told++,
					onBody: () => void told++,
					onDone: () => void told++,
				},
			);
			request.close();
			request.close();
			const begun = requestHttp(
				{ timers: Timer, url: at(check, "/text") },
				{
					onHead: () => begun.close() as undefined,
					onBody: () => void told++,
					onDone: () => void told++,
				},
			);
			// A second request on the same machine is done after whatever the first one could have told.
			await requestText({ timers: Timer, url: at(check, "/text") });
			await new Promise<void>((resolve) => void Timer.set(() => resolve(), 10));
			check.same(told, 0);
		},
	},
	{
		title: "what a handler throws ends the request in words, not the machine",
		async run(check) {
			for (const path of ["/text", "/http-1.0"]) {
				const problem = await new Promise((resolve) => {
					requestHttp(
						{ timers: Timer, url: at(check, path) },
						{
							onHead: () => undefined,
							onBody() {
								throw new Error("boom");
							},
							onDone: resolve,
						},
					);
				});
				check.that(String(problem).includes("boom"), `${path} ended with: ${problem}`);
			}
		},
	},
];
