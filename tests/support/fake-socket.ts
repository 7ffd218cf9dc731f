// A socket class, to be handed over in the place of the SDK's, whose instances the test plays.

import type { Socket, SocketOptions } from "../../src/sdk/tcp.js";

export class FakeSocket implements Socket {
	/** Every instance, newest last. */
	static readonly made: FakeSocket[] = [];

	closed = 0;
	readonly written: Uint8Array[] = [];
	/** What has come and was not read yet. */
	readonly incoming: Uint8Array[] = [];
	/** What `write` returns. */
	onWrite: () => number | undefined = () => 1000;

	constructor(readonly options: SocketOptions) {
		FakeSocket.made.push(this);
	}

	/** The newest instance. */
	static get last(): FakeSocket {
		return FakeSocket.made.at(-1) as FakeSocket;
	}

	/** Bytes come; the callback tells the total of what is unread. */
	receive(bytes: Uint8Array): void {
		this.incoming.push(Uint8Array.from(bytes));
		this.options.onReadable?.(this.unread);
	}

	get unread(): number {
		return this.incoming.reduce((sum, { byteLength }) => sum + byteLength, 0);
	}

	read(count?: number | Uint8Array): ArrayBuffer | undefined {
		if (this.incoming.length === 0) return undefined;
		const all = Buffer.concat(this.incoming.splice(0));
		const taken = typeof count === "number" ? all.subarray(0, count) : all;
		if (taken.length < all.length) this.incoming.push(all.subarray(taken.length));
		return Uint8Array.from(taken).buffer;
	}

	write(bytes: Uint8Array): number | undefined {
		this.written.push(Uint8Array.from(bytes));
		return this.onWrite();
	}

	close(): void {
		this.closed++;
	}
}
