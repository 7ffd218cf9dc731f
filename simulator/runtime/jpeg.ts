// Writes JPEG files (ITU-T T.81, baseline) whose blocks of 8 by 8 pixels have one color each: nothing but DC coefficients.

export type Rgb = readonly [red: number, green: number, blue: number];

/** How many codes of each length from 1 to 16 bits, and their values: the typical luminance table (K.3). */
const DC_COUNTS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
/** Each code, by the number of bits that follow it. */
const DC_CODES = ["00", "010", "011", "100", "101", "110", "1110", "11110", "111110", "1111110", "11111110", "111111110"];
/** The only AC code: the block is at its end. */
const END_OF_BLOCK = "0";
const STEP = 8;

/** @param color of the block at a column and a row */
export function encodeBlocks(columns: number, rows: number, color: (x: number, y: number) => Rgb): Uint8Array {
	const bytes = [0xff, 0xd8];
	const segment = (marker: number, ...content: number[]) =>
		bytes.push(0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255, ...content);
	segment(0xe0, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0);
	segment(0xdb, 0, ...new Array<number>(64).fill(STEP));
	const [width, height] = [columns * 8, rows * 8];
	segment(0xc0, 8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0);
	segment(0xc4, 0, ...DC_COUNTS, ...DC_CODES.map((_, value) => value));
	segment(0xc4, 0x10, 1, ...new Array<number>(15).fill(0), 0);
	segment(0xda, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0);
	let bits = "";
	const before = [0, 0, 0];
	for (let y = 0; y < rows; y++)
		for (let x = 0; x < columns; x++) {
			const [r, g, b] = color(x, y);
			const levels = [0.299 * r + 0.587 * g + 0.114 * b - 128, -0.1687 * r - 0.3313 * g + 0.5 * b, 0.5 * r - 0.4187 * g - 0.0813 * b];
			for (const [i, level] of levels.entries()) {
				const dc = Math.round((level * 8) / STEP);
				const difference = dc - (before[i] as number);
				before[i] = dc;
				const size = difference === 0 ? 0 : Math.abs(difference).toString(2).length;
				bits += DC_CODES[size];
				if (size > 0) bits += (difference > 0 ? difference : difference + 2 ** size - 1).toString(2).padStart(size, "0");
				bits += END_OF_BLOCK;
			}
			for (; bits.length >= 8; bits = bits.slice(8)) put(Number.parseInt(bits.slice(0, 8), 2));
		}
	if (bits) put(Number.parseInt(bits.padEnd(8, "1"), 2));
	bytes.push(0xff, 0xd9);
	return new Uint8Array(bytes);

	function put(byte: number): void {
		bytes.push(byte);
		// A marker must not be in the data.
		if (byte === 0xff) bytes.push(0);
	}
}
