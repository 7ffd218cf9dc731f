// The form of what machine and host say to each other: one line of JSON, then bytes.

/** The JSON part: what it is about, then its values. */
export type Header = readonly [kind: string, ...values: unknown[]];

/** A message taken apart; `bytes` is a view of what came. */
export interface Frame {
	readonly header: Header;
	readonly bytes: Uint8Array;
}

/** What a decoder of UTF-8 can do. */
export interface TextDecoder {
	readonly encoding: string;
	readonly fatal: boolean;
	readonly ignoreBOM: boolean;
	decode(input?: ArrayBufferLike | ArrayBufferView, options?: { stream?: boolean }): string;
}

interface Engine {
	TextEncoder: new () => { encode(text: string): Uint8Array };
	TextDecoder: new (label?: "utf-8", options?: { fatal?: boolean; ignoreBOM?: boolean }) => TextDecoder;
}

const engine = globalThis as unknown as Engine;
/** The engine's decoder, captured here because the machine's globals lose it: hardware has it as a module only. */
export const TextDecoder = engine.TextDecoder;
const encoder = new engine.TextEncoder();
const decoder = new TextDecoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const NEW_LINE = 10;

/** The UTF-8 of a text. */
export function encodeText(text: string): Uint8Array {
	return encoder.encode(text);
}

/** The text of some UTF-8; what is malformed becomes U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
	return decoder.decode(bytes);
}

/** The text of some UTF-8. @throws TypeError when it is malformed */
export function decodeTextStrictly(bytes: Uint8Array): string {
	return strictDecoder.decode(bytes);
}

/** Builds a message in a buffer of its own. */
export function pack(header: Header, bytes?: Uint8Array): Uint8Array<ArrayBuffer> {
	const head = encoder.encode(JSON.stringify(header));
	const frame = new Uint8Array(head.length + 1 + (bytes?.length ?? 0));
	frame.set(head);
	frame[head.length] = NEW_LINE;
	if (bytes) frame.set(bytes, head.length + 1);
	return frame;
}

/** Takes a message apart. @throws SyntaxError when it is none */
export function unpack(frame: Uint8Array): Frame {
	const end = frame.indexOf(NEW_LINE);
	return { header: JSON.parse(decoder.decode(frame.subarray(0, end))), bytes: frame.subarray(end + 1) };
}
