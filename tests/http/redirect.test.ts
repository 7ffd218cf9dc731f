// Where redirects may lead: never out of TLS, and nowhere else where the caller says so.

import { expect, test } from "@jest/globals";
import { requestText } from "../../src/http/client.js";
import { parseHttpUrl } from "../../src/net/address.js";
import type { Socket, SocketOptions } from "../../src/sdk/tcp.js";
import type { TlsSettings } from "../../src/tls/settings.js";

/** Redirects "/from" to the place that the test wants, and answers everything else. */
function serverRedirecting(to: string) {
	const hosts: string[] = [];
	class FakeTls implements Socket {
		format = "buffer";
		#reply = new ArrayBuffer(0);
		readonly #options: SocketOptions;

		constructor(options: SocketOptions) {
			this.#options = options;
			hosts.push(String(options.host));
			setTimeout(() => options.onWritable?.(1000));
		}
		write(bytes: Uint8Array): number {
			const moved = String.fromCharCode(...bytes).startsWith("GET /from");
			const text = moved ? `HTTP/1.1 302 Found\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n` : "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
			this.#reply = new Uint8Array(Buffer.from(text)).buffer;
			setTimeout(() => this.#options.onReadable?.(this.#reply.byteLength));
			return 1000;
		}
		read(): ArrayBuffer {
			return this.#reply;
		}
		close(): void {}
	}
	const tls: TlsSettings = { socketOptions: (connection) => ({ base: FakeTls, connection, overheadBytes: 0 }) };
	const timers = {
		set: (callback: () => void, delay: number) => setTimeout(callback, delay),
		clear: (timer: unknown) => clearTimeout(timer as never),
	};
	const ask = (sameHost: boolean) =>
		requestText({ url: parseHttpUrl("https://127.0.0.1/from"), tls, timers, sameHost, timeoutMs: 5000 }).then(
			({ text }) => text,
			({ message }) => message,
		);
	return { ask, hosts };
}

test.each([
	["/there", false, "ok", 2],
	["https://127.0.0.2/there", false, "ok", 2],
	["http://127.0.0.1/there", false, "redirected from https:// to http://, which is not followed", 1],
	["/there", true, "ok", 2],
	["https://127.0.0.1:8443/there", true, "ok", 2],
	["https://127.0.0.2/there", true, "redirected to another host, which is not followed", 1],
	["//127.0.0.2/there", true, "redirected to another host, which is not followed", 1],
	["http://127.0.0.1/there", true, "redirected from https:// to http://, which is not followed", 1],
])("from https:// to %s, same host only %p: %s", async (to, sameHost, found, connections) => {
	const { ask, hosts } = serverRedirecting(to);
	expect(await ask(sameHost)).toBe(found);
	expect(hosts).toHaveLength(connections);
});
