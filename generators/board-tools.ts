// A firmware that only tells which tools a board has; run by whoever writes or checks a board's pages.

import tools from "board/tools/index";
import { type Tool, wireText } from "../src/mcp/tool.js";

const texts = (list: readonly Tool<never>[], userOnly: boolean) => list.map((tool) => JSON.parse(wireText(tool, userOnly)));

Object.assign(globalThis, { boardTools: () => ({ tools: texts(tools.tools, false), userTools: texts(tools.userTools, true) }) });
