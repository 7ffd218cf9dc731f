// ECMA-419's digital IO in Moddable (modules/io/digital), as far as this project uses it.

declare module "embedded:io/digital" {
	export default class Digital {
		static readonly Input: number;
		static readonly InputPullUp: number;
		static readonly InputPullDown: number;
		static readonly Output: number;
		static readonly OutputOpenDrain: number;
		static readonly Rising: number;
		static readonly Falling: number;
		constructor(options: { pin: number; mode: number; initialValue?: 0 | 1; edge?: number; onReadable?: () => void });
		read(): 0 | 1;
		write(value: 0 | 1): void;
		close(): void;
	}
}
