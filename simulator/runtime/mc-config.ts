// "mc/config": the settings that this machine was started with; empty directly on Node.
import { callHost, hosted } from "./bridge.js";

// A board with Wi-Fi has to have a network to join; what the machine was started with may say another.
const config = (hosted ? { ssid: "simulated", ...(callHost(["config"]).header[1] as object) } : {}) as Record<string, unknown>;

// It is a preloaded module on hardware, hence frozen.
export default Object.freeze(config);
