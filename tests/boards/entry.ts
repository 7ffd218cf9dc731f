// A board's firmware without a network, and a peer on board that a test leads: messages in, replies out.

import { server } from "main";
import type { Dialect } from "mcp/dialect";
import { STANDARD } from "mcp/dialect";
import { ENVELOPE } from "session/envelope";

const replies: string[] = [];
const open = (dialect: Dialect) => server.open({ dialect, rights: { userTools: true }, send: (text) => replies.push(text) });
const conversations = { envelope: open(ENVELOPE), standard: open(STANDARD) };

Object.assign(globalThis, {
	/** Hands over a message of one of two peers and gives back what has been sent since the last time. */
	exchange(peer: keyof typeof conversations, message?: object): unknown[] {
		if (message) conversations[peer].receive(message);
		return replies.splice(0).map((text) => JSON.parse(text));
	},
});
