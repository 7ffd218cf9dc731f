// Calls a tool the way the server does: arguments are checked and defaults filled in before the handler sees them.

import { checkMembers } from "mcp/schema";
import type { CallContext, Tool } from "mcp/tool";

const context: CallContext = { cancelled: false, onCancel: undefined, progress() {} };

/** @throws RangeError with the problem when the arguments do not fit */
export function call<B>(tool: Tool<B> | undefined, args: { [name: string]: unknown }, board: B): unknown {
	if (!tool) throw new Error("there is no such tool");
	const copy = { ...args };
	const problem = checkMembers(tool.members, copy, "");
	if (problem) throw new RangeError(problem);
	return tool.call(copy as never, board, context);
}
