// The member names that messages to this board may have, joined when the firmware is linked so that they stay in flash.

import tools from "board/tools/index";
import { joinNames } from "mcp/tool-list";
import { ENVELOPE_NAMES, FRAMED_NAMES } from "session/envelope";

export const NAMES = joinNames([], tools.knownNames, ENVELOPE_NAMES, FRAMED_NAMES);
