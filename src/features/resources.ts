// The board's state as MCP resources; undefined where a board leaves it out.

import { BoardResources } from "../system/board-resources.js";

const feature: typeof BoardResources | undefined = BoardResources;
export default feature;
