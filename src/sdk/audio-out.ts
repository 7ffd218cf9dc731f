// Moddable's audio output (ECMA-419); its pins and format are in the board's manifest under `defines.audioOut`.

import EmbeddedAudioOut from "embedded:io/audio/out";

export interface AudioOutOptions {
	/** In hertz, 8000 to 48000. */
	sampleRate: number;
	channels: 1 | 2;
	bitsPerSample: 8 | 16;
	/** There is room for `byteLength` bytes. */
	onWritable: (byteLength: number) => void;
}

export interface AudioOutput {
	/** 0 to 1, applied to what is written from then on. */
	volume: number;
	start(): void;
	/** Whole samples, at most as many bytes as `onWritable` gave. @throws Error otherwise */
	write(samples: Uint8Array): void;
	close(): void;
}

export type AudioOutConstructor = new (options: AudioOutOptions) => AudioOutput;

// The SDK's typing leaves out `close`.
const AudioOut = EmbeddedAudioOut as unknown as AudioOutConstructor;
export default AudioOut;
