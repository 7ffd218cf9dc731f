// JSON from peers, who may send what they like: nested so deeply that writing it would overflow the stack, for example.

/** The JSON object that a text is, or undefined. */
export function parseObject(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
	} catch {
		return undefined;
	}
}

/** Can it be sent on? What comes out of `JSON.parse` can, unless it is nested by the thousands. */
export function isSendable(value: unknown): boolean {
	try {
		JSON.stringify(value);
		return true;
	} catch {
		return false;
	}
}

/** The beginning of a value, for a log. Never throws. */
export function excerpt(value: unknown): string {
	const text = isSendable(value) ? (JSON.stringify(value) ?? "nothing") : "nested too deeply";
	return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
