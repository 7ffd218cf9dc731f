// The globals that every Moddable machine has and other engines lack; a setup file for tests on Node as well.
import { decodeTextStrictly, encodeText } from "./frame.js";

interface Scope {
	trace?: (...parts: unknown[]) => void;
	ArrayBuffer: {
		fromString?: (text: string) => ArrayBufferLike;
		prototype: { concat?: (this: ArrayBuffer, ...buffers: ArrayBufferLike[]) => ArrayBuffer };
	};
	String: { fromArrayBuffer?: (buffer: ArrayBufferLike) => string };
}

const scope = globalThis as unknown as Scope;

scope.trace ??= () => {};
scope.ArrayBuffer.fromString ??= (text) => encodeText(String(text)).slice().buffer;
scope.String.fromArrayBuffer ??= (buffer) => decodeTextStrictly(new Uint8Array(buffer));

if (!scope.ArrayBuffer.prototype.concat)
	Object.defineProperty(scope.ArrayBuffer.prototype, "concat", {
		configurable: true,
		writable: true,
		value(this: ArrayBuffer, ...buffers: ArrayBufferLike[]): ArrayBuffer {
			const parts = [this, ...buffers].map((buffer) => new Uint8Array(buffer));
			const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
			let at = 0;
			for (const part of parts) {
				whole.set(part, at);
				at += part.length;
			}
			return whole.buffer;
		},
	});
