// The network link.

/** The network link. */
export interface Network {
	readonly type: string;
	readonly ssid?: string | undefined;
	/** Received signal strength in dBm. */
	readonly rssi?: number | undefined;
	readonly ip?: string | undefined;
	/** The Wi-Fi channel. */
	readonly channel?: number | undefined;
}
