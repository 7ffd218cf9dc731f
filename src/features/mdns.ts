// The announcement of MCP over HTTP in the local network; undefined where a board leaves it out.

import { Announcement } from "../system/announcement.js";

const feature: typeof Announcement | undefined = Announcement;
export default feature;
