// The member names that messages to this board may have, joined when the firmware is linked so that they stay in flash.

import tools from "board/tools/index";
import { CALL_NAMES } from "mcp/json-rpc";
import { joinNames } from "mcp/tool-list";
import { AROUND_NAMES, ENVELOPE_NAMES, FRAMED_NAMES } from "session/envelope";

export const NAMES = joinNames([], tools.knownNames, ENVELOPE_NAMES, FRAMED_NAMES);
export const NAMES_OF_CALLS = joinNames([...tools.tools, ...tools.userTools], CALL_NAMES, AROUND_NAMES);
