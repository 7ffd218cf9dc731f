// Moddable's Wi-Fi radio.

import ModuleWifi from "wifi";

export interface FoundNetwork {
	ssid: string;
	/** In dBm. */
	rssi: number;
	/** "none" for an open network. */
	authentication: string;
}

/** A station; made, it joins. */
export interface WifiStation {
	close(): void;
}

export interface WifiConstructor {
	new (options: { ssid: string; password?: string }, onNotify: (message: string, code?: number) => void): WifiStation;
	/** 1 station, 2 access point, 3 both. */
	mode: number;
	readonly gotIP: string;
	readonly disconnected: string;
	/** Calls back for each network, and with nothing at the end. */
	scan(options: object, callback: (network: FoundNetwork | null | undefined) => void): void;
	accessPoint(options: { ssid: string; password?: string; station?: boolean }): void;
	disconnect(): void;
}

// The SDK's typing lags behind the module.
const WiFi = ModuleWifi as unknown as WifiConstructor;
export default WiFi;
