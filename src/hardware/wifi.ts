// The Wi-Fi radio.

/** A Wi-Fi that a station has found. */
export interface WifiFound {
	readonly ssid: string;
	/** In dBm. */
	readonly rssi: number;
	/** Does it want a password? */
	readonly secure: boolean;
}

/** What the Wi-Fi station tells. */
export interface WifiCallbacks {
	/** The station has an address. */
	onUp(): void;
	/** The station is not connected, or no longer; it does not try again by itself. */
	onDown(reason: string): void;
}

/** The Wi-Fi radio. */
export interface Wifi {
	/** Begins to join a network as a station; a network that is joined is left. */
	join(ssid: string, password: string, callbacks: WifiCallbacks): void;
	/** Leaves the network; nothing is told about it. */
	leave(): void;
	/** Looks for networks; `onFound` gets them, once, the strongest first, each name once. */
	scan(onFound: (networks: readonly WifiFound[]) => void): void;
	/**
	 * Opens an access point without a password.
	 * @returns this device's address in it
	 */
	openAccessPoint(ssid: string): string;
	closeAccessPoint(): void;
}
