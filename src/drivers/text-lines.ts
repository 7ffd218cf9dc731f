// Breaks a text into the lines that fit a display.

/**
 * Breaks at spaces, and inside a word only where it is wider than a line.
 * @param width in pixels
 * @param maximumLines the rest is left out
 * @param measure returns the width of a text in pixels
 */
export function wrapText(text: string, width: number, maximumLines: number, measure: (text: string) => number): string[] {
	const lines: string[] = [];
	let line = "";
	for (const word of text.split(" ")) {
		if (lines.length >= maximumLines) break;
		if (!word) continue;
		const longer = line ? `${line} ${word}` : word;
		if (measure(longer) <= width) {
			line = longer;
			continue;
		}
		if (line) lines.push(line);
		line = "";
		// By code point: half a surrogate pair is no character.
		for (const character of word) {
			if (line && measure(line + character) > width) {
				if (lines.push(line) >= maximumLines) break;
				line = "";
			}
			line += character;
		}
	}
	if (line) lines.push(line);
	return lines.slice(0, maximumLines);
}
