// A name lookup: what strangers' packets make the resolver throw stays inside, and nobody is told after the end.

import { beforeEach, expect, jest, test } from "@jest/globals";
import type { ResolveRequest, ResolverOptions } from "../../src/sdk/dns-resolver.js";

let onPacket: (this: unknown, count: number) => void = () => {};
let resolver: FakeResolver;
let known: unknown;

class FakeUdp {
	closed = 0;
	constructor(readonly options: { onReadable(count: number): void }) {
		udp = this;
	}
	close(): void {
		this.closed++;
	}
}
let udp: FakeUdp;

/** Moddable's makes its UDP socket when it first asks. */
class FakeResolver {
	request: ResolveRequest | undefined;
	closed = 0;
	constructor(readonly options: ResolverOptions) {
		resolver = this;
	}
	resolve(request: ResolveRequest): void {
		this.request = request;
		new this.options.socket.io({ target: this, onReadable: onPacket } as never);
	}
	close(): void {
		this.closed++;
	}
}

jest.unstable_mockModule("embedded:io/socket/udp", () => ({ __esModule: true, default: FakeUdp }));
jest.unstable_mockModule("embedded:network/dns/resolver/udp", () => ({ __esModule: true, default: FakeResolver }));
jest.unstable_mockModule("../../simulator/runtime/net.ts", () => ({
	__esModule: true,
	default: {
		get() {
			if (known instanceof Error) throw known;
			return known;
		},
	},
}));
const { NameLookup } = await import("net/name-lookup");
const { ConnectionState } = await import("net/connection-state");

const timers = { set: () => 1, clear: () => {} };

function lookUp() {
	const connection = new ConnectionState({ timers });
	const onResolved = jest.fn();
	const onError = jest.fn();
	new NameLookup({ connection }).resolve({ host: "example.com", onResolved, onError });
	return { connection, onResolved, onError };
}

beforeEach(() => {
	known = undefined;
	onPacket = () => {};
});

test("a packet that the resolver cannot read is ignored", () => {
	let target: unknown;
	onPacket = function (this: unknown) {
		target = (this as { target: unknown }).target;
		throw new Error("bad packet");
	};
	const { connection, onResolved, onError } = lookUp();
	expect(() => udp.options.onReadable(1)).not.toThrow();
	expect(target).toBe(resolver);
	expect([connection.reason, onResolved.mock.calls, onError.mock.calls]).toEqual([undefined, [], []]);
});

test("an address goes on, and the connection is under way", () => {
	const { connection, onResolved } = lookUp();
	resolver.request?.onResolved("EXAMPLE.com", "192.0.2.1");
	expect(onResolved.mock.calls).toEqual([["example.com", "192.0.2.1"]]);
	expect(connection.stage).toBe("connecting");
});

test("a name that nobody knows is the reason for the end", () => {
	const { connection, onError } = lookUp();
	resolver.request?.onError("example.com");
	expect(onError).toHaveBeenCalledTimes(1);
	expect(connection.reason).toBe("no address found for example.com");
});

test("the end of the connection ends the lookup, once", () => {
	const { connection } = lookUp();
	connection.close();
	connection.close();
	expect(resolver.closed).toBe(1);
});

test.each([
	["the network's own servers", ["192.0.2.53", "0.0.0.0", "fe80::1", 7], ["192.0.2.53"]],
	["another where the network names none that can be used", ["0.0.0.0"], ["1.1.1.1"]],
	["another where the platform knows none", undefined, ["1.1.1.1"]],
	["another where the platform cannot be asked", new Error("none"), ["1.1.1.1"]],
])("asks %s", (_title, servers, asked) => {
	known = servers;
	lookUp();
	expect(resolver.options.servers).toEqual(asked);
});
