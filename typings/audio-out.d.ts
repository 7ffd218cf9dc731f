// ECMA-419's audio output in Moddable (modules/io/audioout), as far as this project uses it.

declare module "embedded:io/audio/out" {
	export default class AudioOut {
		constructor(options: {
			/** In hertz, 8000 to 48000. */
			sampleRate?: number;
			channels?: 1 | 2;
			bitsPerSample?: 8 | 16;
			/** There is room for `byteLength` bytes. */
			onWritable?: (byteLength: number) => void;
		});
		/** 0 to 1, applied to what is written from then on. */
		volume: number;
		start(): void;
		stop(): void;
		/** Whole samples, at most as many bytes as `onWritable` gave; throws otherwise. */
		write(samples: ArrayBuffer | Uint8Array | Int16Array): void;
		close(): void;
	}
}
