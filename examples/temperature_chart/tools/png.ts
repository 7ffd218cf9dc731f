// A picture in black and white as a PNG (RFC 2083), small enough to be made on a chip: it is not compressed.

/** The picture's bytes. @param isBlack says what is at a point, from the top left */
export function png(width: number, height: number, isBlack: (x: number, y: number) => boolean): Uint8Array {
	const row = 1 + Math.ceil(width / 8);
	const pixels = new Uint8Array(row * height);
	for (let y = 0; y < height; y++)
		for (let x = 0; x < width; x++) if (!isBlack(x, y)) pixels[y * row + 1 + (x >> 3)] = (pixels[y * row + 1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
	// One bit a pixel, shades of grey.
	const header = [...number(width), ...number(height), 1, 0, 0, 0, 0];
	const size = pixels.length;
	// Zlib (RFC 1950) with one stored block (RFC 1951).
	const data = [0x78, 1, 1, size & 255, size >> 8, ~size & 255, (~size >> 8) & 255, ...pixels, ...number(adler32(pixels))];
	return Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, ...chunk("IHDR", header), ...chunk("IDAT", data), ...chunk("IEND", [])]);
}

/** Four bytes, the highest first. */
function number(value: number): number[] {
	return [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function chunk(type: string, data: readonly number[]): number[] {
	const body = [...type].map((letter) => letter.charCodeAt(0)).concat(data);
	return [...number(data.length), ...body, ...number(crc32(body))];
}

function crc32(bytes: readonly number[]): number {
	let crc = -1;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc >>> 0;
}

function adler32(bytes: Uint8Array): number {
	let a = 1;
	let b = 0;
	for (const byte of bytes) {
		a = (a + byte) % 65521;
		b = (b + a) % 65521;
	}
	return ((b << 16) | a) >>> 0;
}
