// The whole firmware on Node.

import { createLauncher } from "../support/launch.js";
import { describeSessions } from "./sessions.js";

describeSessions("Node", createLauncher("node"));
