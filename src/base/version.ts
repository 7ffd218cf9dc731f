// The firmware's version; a test holds it equal to the one in package.json.

/** As in semantic versioning. */
export const VERSION = "0.2.0";

/** Is version `a` older than `b`? By their numbers; what has none counts as neither. */
export function isOlder(a: string, b: string): boolean {
	const [left, right] = [numbersOf(a), numbersOf(b)];
	for (let i = 0; i < 3; i++) {
		const difference = (left[i] ?? 0) - (right[i] ?? 0);
		if (left.length === 0 || right.length === 0 || Number.isNaN(difference)) return false;
		if (difference !== 0) return difference < 0;
	}
	return false;
}

/** "v1.2.3-4-gabc" has 1, 2 and 3. */
function numbersOf(version: string): number[] {
	let text = version.startsWith("v") ? version.slice(1) : version;
	for (const end of "-+ ") if (text.includes(end)) text = text.slice(0, text.indexOf(end));
	return text === "" ? [] : text.split(".").map(Number);
}
