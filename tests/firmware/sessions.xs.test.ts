// The whole firmware on the XS engine.

import { createLauncher } from "../support/launch.js";
import { describeSessions } from "./sessions.js";

describeSessions("the XS engine", createLauncher("xs"));
