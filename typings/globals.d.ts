// Globals of every Moddable machine, as far as this project uses them; the SDK's own typings take this file's place in a Moddable build.

/** Writes to the log; a line ends only with "\n". */
declare function trace(...parts: (string | number | boolean)[]): void;

interface ObjectConstructor {
	/** With `deep`, whatever can be reached from `value` is frozen as well. */
	freeze<T>(value: T, deep: boolean): Readonly<T>;
}

interface ArrayBufferConstructor {
	/** The bytes of `text` in UTF-8. */
	fromString(text: string): ArrayBuffer;
}

interface ArrayBuffer {
	/** A new buffer: this one's bytes, then the others'. */
	concat(...buffers: ArrayBufferLike[]): ArrayBuffer;
}

interface StringConstructor {
	/** Throws unless the bytes are valid UTF-8. */
	fromArrayBuffer(buffer: ArrayBufferLike): string;
}

/** What the target's setup found: pins, buses and network clients. Its members differ per target, so check before use. */
declare const device: { readonly [member: string]: unknown };
