// TLS: wss://, https://, mqtts:// and tls:// addresses; undefined where a board leaves it out.

import { createTls } from "../tls/settings.js";

const feature: typeof createTls | undefined = createTls;
export default feature;
