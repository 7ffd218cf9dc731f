// The part of docs/reliability.md that is made from the faults.

import { type Case, FAULTS, type Fault } from "./faults.js";
import type { Column } from "./peer.js";

const BEGIN = "<!-- faults: made by npm run docs:faults -->";
const END = "<!-- end of faults -->";

/** The connections in the order of the table, with the names that they have in the log. */
const NAMES: readonly (readonly [column: Column, name: string])[] = [
	["session", "session"],
	["endpoint", "endpoint"],
	["mqtt", "mqtt"],
	["framed", "framed"],
	["configuration", "configuration"],
	["firmware", "upgrade"],
];

/** @throws Error where the text has no place for the table */
export function renewFaultTable(text: string): string {
	const begin = text.indexOf(BEGIN);
	const end = text.indexOf(END, begin);
	if (begin < 0 || end < 0) throw new Error(`the lines "${BEGIN}" and "${END}" are missing`);
	const table = ["| fault | connection | the log says | tried again |", "|---|---|---|---|", ...FAULTS.flatMap(rowsOf)].join("\n");
	return `${text.slice(0, begin)}${BEGIN}\n\n${table}\n\n${text.slice(end)}`;
}

/** One row for each thing that the log may say. */
function rowsOf(fault: Fault): string[] {
	const rows: { says: string; again: string; names: string[] }[] = [];
	for (const [column, name] of NAMES)
		for (const it of fault[column] ?? []) {
			const says = [...(it.also ?? []), it.says].map((line) => `\`${line}\``).join(", then ");
			const row = rows.find((row) => row.says === says);
			if (!row) rows.push({ says, again: triedAgain(column, it), names: [name] });
			else if (!row.names.includes(name)) row.names.push(name);
		}
	return rows.map(({ says, again, names }, i) => `| ${i === 0 ? fault.title : ""} | ${names.join(", ")} | ${says} | ${again} |`);
}

/** A download is always left to its caller; a row that it shares says what holds for the others. */
function triedAgain(column: Column, { never }: Case): string {
	if (column === "firmware") return "";
	return never ? "no" : "yes";
}
