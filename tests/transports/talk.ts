// One connection of a transport, with what comes over it as promises.

import Timer from "timer";
import type { Connect, Transport } from "transports/transport";

/** What came over one connection. */
export interface Talk {
	readonly transport: Transport;
	/** The next message as text. Rejects when the connection is over. */
	next(): Promise<string>;
	readonly opened: Promise<void>;
	/** The reason of the end. */
	readonly closed: Promise<string>;
	/** Every message so far. */
	readonly received: readonly string[];
}

/** Connects. With `reply` messages go there instead of to `next`. */
export function talk(connect: Connect, reply?: (text: string, transport: Transport) => void): Talk {
	const received: string[] = [];
	const unread: string[] = [];
	const readers: { resolve(text: string): void; reject(error: Error): void }[] = [];
	let ended: Error | undefined;
	let open: () => void = () => {};
	let end: (reason: string) => void = () => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	const closed = new Promise<string>((resolve) => {
		end = resolve;
	});
	const transport = connect({
		onOpen: () => open(),
		onMessage(bytes) {
			const text = textOf(bytes);
			received.push(text);
			if (reply) return reply(text, transport);
			const reader = readers.shift();
			if (reader) reader.resolve(text);
			else unread.push(text);
		},
		onClose(reason) {
			ended = new Error(`the connection ended: ${reason}`);
			for (const reader of readers.splice(0)) reader.reject(ended);
			end(reason);
		},
	});
	const next = () =>
		new Promise<string>((resolve, reject) => {
			const text = unread.shift();
			if (text !== undefined) resolve(text);
			else if (ended) reject(ended);
			else readers.push({ resolve, reject });
		});
	return { transport, next, opened, closed, received };
}

function textOf(bytes: Uint8Array): string {
	// The array is valid only during the call.
	return (String as unknown as { fromArrayBuffer(buffer: ArrayBufferLike): string }).fromArrayBuffer(bytes.slice().buffer);
}

export const later = (milliseconds: number): Promise<void> => new Promise((resolve) => Timer.set(() => resolve(), milliseconds));
