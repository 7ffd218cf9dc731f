// The configuration server, which tells a device where to connect; undefined where a board leaves it out.

import { ConfigurationClient } from "../system/configuration-client.js";

const feature: typeof ConfigurationClient | undefined = ConfigurationClient;
export default feature;
