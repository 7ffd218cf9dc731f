// The part of a board's README that is made from its tools.

import type { Tool } from "@modelcontextprotocol/client";
import { describeArguments } from "../cli/tool-arguments.js";
import { runDevice } from "../simulator/run-device.js";

/** Between these lines a README has what this module makes. */
export const TOOLS_BEGIN = "<!-- tools: made by npm run docs:boards -->";
export const TOOLS_END = "<!-- end of tools -->";

/** A board's tools as they go over the wire. */
export interface BoardTools {
	readonly tools: readonly Tool[];
	readonly userTools: readonly Tool[];
}

/**
 * Asks a board for its tools, without making its parts.
 * @param board a folder's name in boards/, or a path
 * @param language of the build
 * @throws Error (as rejection) when the board does not build or its list cannot be made
 */
export async function readBoardTools(board: string, language: "en" | "zh" = "en"): Promise<BoardTools> {
	const device = await runDevice({ board, entry: "generators/board-tools.ts", config: { language }, engine: "node" });
	let end: string | undefined;
	void device.exited.then(({ ok, reason }) => {
		if (!ok) end = reason;
	});
	try {
		return (await device.evaluate("boardTools()")) as BoardTools;
	} catch (error) {
		throw end === undefined ? error : new Error(end.replace(/^XS abort: unhandled exception (\w+: )?/, ""));
	} finally {
		await device.close();
	}
}

/** The tools as Markdown tables, for the model and for people. */
export function toolSection({ tools, userTools }: BoardTools): string {
	const table = (list: readonly Tool[]) => ["| tool | arguments | what it does |", "|---|---|---|", ...list.map(toolRow)].join("\n");
	const user = userTools.length > 0 ? `\n\nFor people only, hidden from the model:\n\n${table(userTools)}` : "";
	return `${TOOLS_BEGIN}\n\nFor the model:\n\n${table(tools)}${user}\n\n${TOOLS_END}`;
}

function toolRow(tool: Tool): string {
	const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
	return `| \`${tool.name}\` | ${cell(describeArguments(tool))} | ${cell(tool.description ?? "")} |`;
}

/** A README with its part on the tools renewed; where it has none, it comes below the heading "Tools", or at the end. */
export function renewToolSection(readme: string, tools: BoardTools): string {
	const section = toolSection(tools);
	const begin = readme.indexOf(TOOLS_BEGIN);
	const end = readme.indexOf(TOOLS_END, begin);
	if (begin >= 0 && end >= 0) return readme.slice(0, begin) + section + readme.slice(end + TOOLS_END.length);
	const heading = /^## Tools *\n/m.exec(readme);
	if (!heading) return `${readme.trimEnd()}\n\n## Tools\n\n${section}\n`;
	const at = heading.index + heading[0].length;
	return `${readme.slice(0, at)}\n${section}\n${readme.slice(at)}`;
}
