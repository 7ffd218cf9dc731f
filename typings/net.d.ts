// Facts of the network link in Moddable (modules/network/net), as far as this project uses it.

declare module "net" {
	const Net: {
		/** Undefined without a link. */
		get(what: "IP" | "SSID" | "BSSID"): string | undefined;
		get(what: "MAC"): string | undefined;
		/** In dBm. */
		get(what: "RSSI"): number | undefined;
		get(what: "DNS"): string[];
	};
	export default Net;
}
