// Moddable's TextDecoder (modules/data/text/decoder), as far as this project uses it.

declare module "text/decoder" {
	export default class TextDecoder {
		/** UTF-8 only. With `fatal`, invalid bytes throw a TypeError; otherwise each becomes U+FFFD. */
		constructor(label?: "utf-8", options?: { fatal?: boolean; ignoreBOM?: boolean });
		readonly encoding: string;
		readonly fatal: boolean;
		readonly ignoreBOM: boolean;
		/** With `stream`, an unfinished character waits for the next call. */
		decode(input?: Uint8Array | ArrayBufferLike, options?: { stream?: boolean }): string;
	}
}
