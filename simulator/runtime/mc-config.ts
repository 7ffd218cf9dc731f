// "mc/config": the settings that this machine was started with; empty directly on Node.
import { callHost, hosted } from "./bridge.js";

const config = (hosted ? callHost(["config"]).header[1] : {}) as Record<string, unknown>;

// It is a preloaded module on hardware, hence frozen.
export default Object.freeze(config);
