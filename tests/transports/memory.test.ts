// Runs the contract of all transports on the linked pair in memory, with peers that behave as the server's paths do.

import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import type { Transport, TransportCallbacks } from "../../src/transports/transport.js";
import { checkOf } from "../support/scenario.js";
import { createMemoryLink, type MemoryLink } from "./memory.js";
import { manyBytes } from "./peer-server.mjs";
import { transportContract } from "./transport-contract.js";

interface PeerSide {
	readonly link: MemoryLink;
	readonly query: URLSearchParams;
	send(text: string): void;
	close(): void;
}

interface Peer {
	onOpen?(side: PeerSide): void;
	onMessage?(text: string, side: PeerSide): void;
	onClose?(reason: string, side: PeerSide): void;
}

const reports = new Map<string, unknown>();
const wanted = new Map<string, (report: unknown) => void>();

const PEERS: { readonly [path: string]: () => Peer } = {
	"/echo": () => ({ onMessage: (text, { send }) => send(text) }),
	"/digest": () => ({
		onMessage(text, { send }) {
			const bytes = Buffer.from(text);
			send(JSON.stringify({ binary: false, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }));
		},
	}),
	"/pieces": () => ({ onOpen: ({ send, query }) => send(manyBytes(Number(query.get("bytes")))) }),
	"/two-sizes": () => ({
		onOpen({ send, query }) {
			for (const bytes of query.getAll("bytes")) send(manyBytes(Number(bytes)));
		},
	}),
	"/too-large": () => ({
		onOpen({ send }) {
			send("before");
			send("x".repeat(100_000));
			send("y".repeat(20_000));
			send("after");
		},
	}),
	"/slow-reader": () => {
		let next = 0;
		return {
			onOpen({ link, send, query }) {
				link.hold("right");
				for (let i = 0; i < Number(query.get("count")); i++) send(JSON.stringify({ id: i }));
				setTimeout(() => link.release("right"), 100);
			},
			onMessage(text, { send, query }) {
				if (JSON.parse(text).id !== next++) send("wrong order");
				if (next === Number(query.get("count"))) send("all answers came");
			},
		};
	},
	"/never-reads": () => ({
		onOpen({ link, send }) {
			link.hold("right");
			send("go");
		},
	}),
	"/close": () => ({ onOpen: ({ close }) => close() }),
	"/last-words": () => ({
		onOpen({ send, close }) {
			for (const text of ["one", "two", "three"]) send(text);
			close();
		},
	}),
	"/terminate": () => ({ onMessage: (_, { link }) => link.cut() }),
	"/watch": () => {
		const messages: number[] = [];
		return {
			onMessage: (text) => void messages.push(text.length),
			onClose(reason, { query }) {
				const key = query.get("key") ?? "";
				const report = { code: reason === "closed by the peer: 1000 normal closure" ? 1000 : 1006, reason: "", messages };
				reports.set(key, report);
				wanted.get(key)?.(report);
			},
		};
	},
	"/report": () => ({
		async onOpen({ send, query }) {
			const key = query.get("key") ?? "";
			send(JSON.stringify(reports.get(key) ?? (await new Promise((resolve) => wanted.set(key, resolve)))));
		},
	}),
};

function connectPeer(path: string, log: ((line: string) => void) | undefined): (callbacks: TransportCallbacks) => Transport {
	const { pathname, searchParams } = new URL(path, "memory://peer");
	const link = createMemoryLink({ log, rightLimitBytes: Number.POSITIVE_INFINITY });
	const peer = PEERS[pathname]?.();
	if (!peer) throw new Error(`there is no peer ${pathname}`);
	const side: PeerSide = { link, query: searchParams, send: (text) => transport.send(text), close: () => transport.close() };
	const transport = link.right({
		onOpen: () => peer.onOpen?.(side),
		onMessage: (bytes) => peer.onMessage?.(new TextDecoder().decode(bytes), side),
		onClose: (reason) => peer.onClose?.(reason, side),
	});
	return link.left;
}

const scenarios = transportContract((_, path, log) => connectPeer(path, log), { largestBytes: 100_000 });

describe("the transport in memory", () => {
	test.each(scenarios.map((scenario) => ({ title: scenario.title, scenario })))("$title", async ({ scenario }) => {
		await scenario.run(checkOf(0));
	});

	test("opens only when both ends are connected", async () => {
		const link = createMemoryLink();
		const opened: string[] = [];
		const end = (name: string): TransportCallbacks => ({
			onOpen: () => void opened.push(name),
			onMessage() {},
			onClose() {},
		});
		link.left(end("left"));
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(opened).toEqual([]);
		link.right(end("right"));
		while (opened.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
		expect(opened.sort()).toEqual(["left", "right"]);
		expect(() => link.left(end("left"))).toThrow("connected already");
	});
});
