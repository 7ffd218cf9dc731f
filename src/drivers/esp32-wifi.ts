// The Wi-Fi radio of an ESP32, on Moddable's `wifi` module: it is the one that has the station and the access point.

import ModuleWifi from "wifi";
import type { Wifi, WifiCallbacks, WifiFound } from "../hardware/wifi.js";

/** The address that ESP-IDF gives an access point (ESP-NETIF, `ESP_IP4TOADDR(192, 168, 4, 1)`). */
const ACCESS_POINT_ADDRESS = "192.168.4.1";
/** The longest list of networks; the strongest stay. */
const MAX_FOUND = 20;
const MODE_STATION = 1;
const MODE_STATION_AND_ACCESS_POINT = 3;
/** What the module gives for a handshake that failed. */
const REFUSED = -1;

interface Found {
	ssid: string;
	rssi: number;
	/** "none" for an open network. */
	authentication: string;
}

/** As much of the module as is used here; the SDK's own typing lags behind it. */
interface WifiModule {
	new (options: { ssid: string; password?: string }, onNotify: (message: string, code?: number) => void): { close(): void };
	mode: number;
	readonly gotIP: string;
	readonly disconnected: string;
	scan(options: object, callback: (network: Found | null | undefined) => void): void;
	accessPoint(options: { ssid: string; station?: boolean }): void;
	disconnect(): void;
}

const WiFi = ModuleWifi as unknown as WifiModule;

/** The radio. Made, it does nothing. */
export class Esp32Wifi implements Wifi {
	#monitor: InstanceType<WifiModule> | undefined;

	join(ssid: string, password: string, { onUp, onDown }: WifiCallbacks): void {
		this.#monitor?.close();
		WiFi.mode = MODE_STATION;
		const monitor = new WiFi(password ? { ssid, password } : { ssid }, (message, code) => {
			if (this.#monitor !== monitor) return;
			if (message === WiFi.gotIP) onUp();
			else if (message === WiFi.disconnected) onDown(code === REFUSED ? "the password was refused" : `"${ssid}" was lost or is not there`);
		});
		this.#monitor = monitor;
	}

	leave(): void {
		this.#monitor?.close();
		this.#monitor = undefined;
		WiFi.disconnect();
	}

	scan(onFound: (networks: readonly WifiFound[]) => void): void {
		const found: WifiFound[] = [];
		WiFi.scan({}, (network) => {
			if (network) return keepStrongest(found, network.ssid, network.rssi, network.authentication !== "none");
			found.sort((a, b) => b.rssi - a.rssi);
			onFound(found.slice(0, MAX_FOUND));
		});
	}

	openAccessPoint(ssid: string): string {
		// With the station beside it networks can be looked for.
		WiFi.mode = MODE_STATION_AND_ACCESS_POINT;
		WiFi.accessPoint({ ssid, station: true });
		return ACCESS_POINT_ADDRESS;
	}

	closeAccessPoint(): void {
		WiFi.mode = MODE_STATION;
	}
}

/** A network of several access points is found several times; one that hides its name has none. */
function keepStrongest(found: WifiFound[], ssid: string, rssi: number, secure: boolean): void {
	if (!ssid) return;
	const at = found.findIndex((other) => other.ssid === ssid);
	if (at < 0) found.push({ ssid, rssi, secure });
	else if ((found[at] as WifiFound).rssi < rssi) found[at] = { ssid, rssi, secure };
}
