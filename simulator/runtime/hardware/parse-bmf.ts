// "commodetto/parseBMF": a font with nothing but a height.

/** In pixels. */
export const LINE_HEIGHT = 38;

export default function parseBMF(): { height: number } {
	return { height: LINE_HEIGHT };
}
