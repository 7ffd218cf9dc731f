// The Wi-Fi radio.

/** A network that a scan has found. */
export interface WifiFound {
	readonly ssid: string;
	/** In dBm. */
	readonly rssi: number;
	/** Does it need a password? */
	readonly secure: boolean;
}

/** What the Wi-Fi station reports. */
export interface WifiCallbacks {
	/** The station has an address. */
	onUp(): void;
	/** The station is not connected, or no longer; it does not try again by itself. */
	onDown(reason: string): void;
}

/** The Wi-Fi radio. */
export interface Wifi {
	/** Begins to join a network as a station, after leaving the one it is in. */
	join(ssid: string, password: string, callbacks: WifiCallbacks): void;
	/** Leaves the network without calling back. */
	leave(): void;
	/** Scans for networks; `onFound` is called once with all of them, the strongest first, each name once. */
	scan(onFound: (networks: readonly WifiFound[]) => void): void;
	/**
	 * Opens an access point.
	 * @param password 8 to 63 printable characters, for WPA2; undefined for an open one
	 * @returns this device's address on it
	 */
	openAccessPoint(ssid: string, password: string | undefined): string;
	closeAccessPoint(): void;
}
