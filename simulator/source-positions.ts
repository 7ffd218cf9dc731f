// Puts a file of the project and its line where a stack trace has a line of the bundle.
import { SourceMap } from "node:module";
import type { Bundle } from "./bundle.js";

/** A line of the bundle as XS writes it, `(#0:123)`, and as Node does, `firmware.js:123:45`. */
const POSITION = /\(#0:(\d+)\)|\bfirmware\.js:(\d+):(\d+)/g;

/** @returns a function that takes a line of the log; the map is read when the first position comes */
export function createPositionFinder({ code, map }: Bundle): (line: string) => string {
	let lines: string[] | undefined;
	let sources: SourceMap | undefined;
	return (text) =>
		text.replace(POSITION, (found, xsLine?: string, nodeLine?: string, column?: string) => {
			lines ??= code.split("\n");
			sources ??= new SourceMap(JSON.parse(map));
			const line = Number(xsLine ?? nodeLine) - 1;
			// XS knows lines only: that is what the line begins with.
			const at = column === undefined ? (lines[line]?.search(/\S/) ?? 0) : Number(column) - 1;
			const entry = sources.findEntry(line, at);
			if (!("originalSource" in entry) || entry.generatedLine !== line) return found;
			const position = `${entry.originalSource}:${entry.originalLine + 1}`;
			return xsLine === undefined ? position : `(${position})`;
		});
}
