// Moddable's reader of bitmap fonts in the format of AngelCode's BMFont.

import commodettoParseBMF from "commodetto/parseBMF";

export interface Font {
	/** Of a line, in pixels. */
	readonly height: number;
}

const parseBMF = commodettoParseBMF as unknown as (data: object) => Font;
export default parseBMF;
