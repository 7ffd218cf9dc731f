// The gateway over Streamable HTTP, for clients of older revisions.

import { describeClient } from "./gateway-suite.js";

for (const revision of ["v1", "2025-11-25"] as const) describeClient(revision);
