// A board's firmware without a network, and a peer on board that a test leads: messages in, replies out.

import { server } from "main";
import { ENVELOPE } from "session/envelope";

const replies: string[] = [];
const conversation = server.open({ dialect: ENVELOPE, rights: { userTools: true }, send: (text) => replies.push(text) });

Object.assign(globalThis, {
	/** Hands over a message and gives back what has been sent since the last time. */
	exchange(message?: object): unknown[] {
		if (message) conversation.receive(message);
		return replies.splice(0).map((text) => JSON.parse(text));
	},
});
