// "net": facts about the network connection; the host's address, and directly on Node the loopback's.
import { callHost, hosted } from "./bridge.js";

const Net = Object.freeze({
	/** Knows "IP" and "DNS" (a list), and "MAC" where the configuration has a `device_id`; undefined for the rest. */
	get(what: string): string | string[] | undefined {
		if (hosted) return callHost(["net", what]).header[1] as string | string[] | undefined;
		if (what === "IP") return "127.0.0.1";
		if (what === "DNS") return [];
		return undefined;
	},
});

export default Net;
