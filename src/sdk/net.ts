// Facts of the network link, as Moddable knows them.

import Network from "net";

/** What can be asked for depends on the platform; it may throw where there is none of it. */
const Net = Network as unknown as {
	get(what: "DNS"): readonly string[] | undefined;
	/** RSSI in dBm. Undefined without a link. */
	get(what: "RSSI" | "CHANNEL"): number | undefined;
	get(what: "IP" | "MAC" | "SSID" | "BSSID"): string | undefined;
};
export default Net;
