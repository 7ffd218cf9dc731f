import { createLauncher } from "../support/launch.js";
import { describeSessions } from "./sessions.js";

describeSessions("the XS engine", createLauncher("xs"));
describeSessions("Node", createLauncher("node"));
