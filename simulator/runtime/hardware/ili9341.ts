// "ili9341": a display of which only the size is simulated.

export default class Ili9341 {
	readonly width: number = 320;
	readonly height: number = 240;

	close(): void {}
}
