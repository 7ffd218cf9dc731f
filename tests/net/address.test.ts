// The address parser: what it takes apart, and what it refuses.

import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { isIpv4, parseTimeServer, parseWebSocketUrl } from "../../src/net/address.js";
import { anyText } from "../support/any-text.js";

describe("the WebSocket address parser", () => {
	test.each([
		["ws://example.com", { secure: false, host: "example.com", port: 80, path: "/", authority: "example.com" }],
		["WSS://Example.COM/a", { secure: true, host: "example.com", port: 443, path: "/a", authority: "example.com" }],
		["ws://10.0.0.1:8000/xiaozhi/v1/", { secure: false, host: "10.0.0.1", port: 8000, path: "/xiaozhi/v1/", authority: "10.0.0.1:8000" }],
		["wss://h:443/?token=a%2Fb==&x=@:[]", { secure: true, host: "h", port: 443, path: "/?token=a%2Fb==&x=@:[]", authority: "h" }],
		["ws://h?token=1", { secure: false, host: "h", port: 80, path: "/?token=1", authority: "h" }],
		["ws://h:00080/", { secure: false, host: "h", port: 80, path: "/", authority: "h" }],
	])("takes %s apart", (url, parts) => expect(parseWebSocketUrl(url)).toEqual(parts));

	test.each([
		["", TypeError, "begin with ws:// or wss://"],
		["http://h/", TypeError, "begin with ws:// or wss://"],
		["ws:/h", TypeError, "begin with ws:// or wss://"],
		["ws://", TypeError, "no host"],
		["ws://:80/", TypeError, "no host"],
		["ws:///path", TypeError, "no host"],
		["ws://h:/", RangeError, "port"],
		["ws://h:0/", RangeError, "port"],
		["ws://h:65536/", RangeError, "port"],
		["ws://h:8a/", RangeError, "port"],
		["ws://h:-1/", RangeError, "port"],
		["ws://h:000080/", RangeError, "port"],
		["ws://u:p@h/", TypeError, "user name"],
		["ws://[::1]/", TypeError, "IPv6"],
		["ws://h/#top", TypeError, "fragment"],
		["ws://h/a b", TypeError, "space"],
		["ws://h/a\r\nX: y", TypeError, "space"],
		["ws://h/灯", TypeError, "non-ASCII"],
		["ws://h..x/", RangeError, "1 to 63"],
		["ws://h./", RangeError, "1 to 63"],
		[`ws://${"a".repeat(64)}/`, RangeError, "1 to 63"],
		[`ws://${"a.".repeat(127)}a/`, RangeError, "253"],
		["ws://a+b/", TypeError, "letters"],
		["ws://1.2.3/", RangeError, "IPv4"],
		["ws://1.2.3.256/", RangeError, "IPv4"],
		[undefined as unknown as string, TypeError, "string"],
	])("refuses %j", (url, kind, words) => {
		expect(() => parseWebSocketUrl(url)).toThrow(kind);
		expect(() => parseWebSocketUrl(url)).toThrow(words);
	});

	test("never repeats path or query in its words", () => {
		fc.assert(
			fc.property(anyText({ maxLength: 40 }), (rest) => {
				try {
					parseWebSocketUrl(`ws://h:99999/secret${rest}`);
				} catch (error) {
					expect(String(error)).not.toContain("secret");
				}
			}),
		);
	});

	test("throws nothing but TypeError and RangeError", () => {
		fc.assert(
			fc.property(anyText(), (text) => {
				for (const url of [text, `ws://${text}`])
					try {
						parseWebSocketUrl(url);
					} catch (error) {
						expect(error instanceof TypeError || error instanceof RangeError).toBe(true);
					}
			}),
		);
	});

	test("knows IPv4 addresses", () => {
		expect(["0.0.0.0", "255.255.255.255"].every(isIpv4)).toBe(true);
		expect(["1.2.3", "1.2.3.4.5", "1.2.3.", "1.2.3.256", "1.2.3.x", "1.2.3.0004", ""].some(isIpv4)).toBe(false);
	});
});

describe("the address of a time server", () => {
	test.each([
		["pool.ntp.org", { host: "pool.ntp.org", port: 123, authority: "pool.ntp.org" }],
		["192.168.1.1:1123", { host: "192.168.1.1", port: 1123, authority: "192.168.1.1:1123" }],
	])("takes %s apart", (address, parts) => expect(parseTimeServer(address)).toEqual(parts));

	test.each([
		["", "has no host"],
		["h:0", "the port of the time server's address must be a number"],
		["ntp://h", "the port of the time server's address must be a number"],
		["[::1]:123", "IPv6"],
		["a b", "a space"],
	])("refuses %j", (address, words) => expect(() => parseTimeServer(address)).toThrow(words));
});
