// What the SDK's clients need of the socket below them: nothing delays a reply, and no read begins in the middle of another.

import { expect, test } from "@jest/globals";
import { ConnectionState } from "../../src/net/connection-state.js";
import { SafeSocket } from "../../src/net/safe-socket.js";
import { FakeSocket } from "../support/fake-socket.js";

const timers = { set: () => 1, clear: () => {} };

test("a reply does not wait for the acknowledgement of its first piece", () => {
	new SafeSocket({ connection: new ConnectionState({ timers }), base: FakeSocket, overheadBytes: 0 });
	expect(FakeSocket.last.options).toMatchObject({ nodelay: true });
});

test("what comes while the reader is at work waits until it has done", () => {
	const connection = new ConnectionState({ timers });
	const events: string[] = [];
	const socket = new SafeSocket({
		connection,
		base: FakeSocket,
		overheadBytes: 0,
		onReadable(count) {
			events.push("begins");
			if (events.length === 1) {
				FakeSocket.last.receive(Uint8Array.of(3));
				connection.flow();
			}
			events.push(`reads ${new Uint8Array(socket.read(count) as ArrayBuffer)}`);
		},
	});
	FakeSocket.last.receive(Uint8Array.of(1, 2));
	expect(events).toEqual(["begins", "reads 1,2", "begins", "reads 3"]);
});
