// The Wi-Fi radio of an ESP32, on Moddable's `wifi` module, the one that has both the station and the access point.

import type { Wifi, WifiCallbacks, WifiFound } from "../hardware/wifi.js";
import type { WifiConstructor, WifiStation } from "../sdk/wifi.js";

/** The address that ESP-IDF gives an access point (ESP-NETIF, `ESP_IP4TOADDR(192, 168, 4, 1)`). */
const ACCESS_POINT_ADDRESS = "192.168.4.1";
/** How many networks a scan reports at most: the strongest. */
const MAX_FOUND = 20;
const MODE_STATION = 1;
const MODE_STATION_AND_ACCESS_POINT = 3;
/** The module's code for a handshake that failed. */
const REFUSED = -1;

/** The radio; nothing happens before it is used. */
export class Esp32Wifi implements Wifi {
	readonly #io: WifiConstructor;
	#monitor: WifiStation | undefined;

	/** @param io Moddable's Wi-Fi, `sdk/wifi` */
	constructor(io: WifiConstructor) {
		this.#io = io;
	}

	join(ssid: string, password: string, { onUp, onDown }: WifiCallbacks): void {
		const io = this.#io;
		this.#monitor?.close();
		io.mode = MODE_STATION;
		const monitor = new io(password ? { ssid, password } : { ssid }, (message, code) => {
			if (this.#monitor !== monitor) return;
			if (message === io.gotIP) onUp();
			else if (message === io.disconnected) onDown(code === REFUSED ? "the password was refused" : `"${ssid}" was lost or is not there`);
		});
		this.#monitor = monitor;
	}

	leave(): void {
		this.#monitor?.close();
		this.#monitor = undefined;
		this.#io.disconnect();
	}

	scan(onFound: (networks: readonly WifiFound[]) => void): void {
		const found: WifiFound[] = [];
		this.#io.scan({}, (network) => {
			if (network) return keepStrongest(found, network.ssid, network.rssi, network.authentication !== "none");
			found.sort((a, b) => b.rssi - a.rssi);
			onFound(found.slice(0, MAX_FOUND));
		});
	}

	openAccessPoint(ssid: string, password: string | undefined): string {
		// With the station on as well, it can scan for networks.
		this.#io.mode = MODE_STATION_AND_ACCESS_POINT;
		this.#io.accessPoint({ ssid, ...(password === undefined ? {} : { password }), station: true });
		return ACCESS_POINT_ADDRESS;
	}

	closeAccessPoint(): void {
		this.#io.mode = MODE_STATION;
	}
}

/** A network of several access points is found several times; one that hides its name is left out. */
function keepStrongest(found: WifiFound[], ssid: string, rssi: number, secure: boolean): void {
	if (!ssid) return;
	const at = found.findIndex((other) => other.ssid === ssid);
	if (at < 0) found.push({ ssid, rssi, secure });
	else if ((found[at] as WifiFound).rssi < rssi) found[at] = { ssid, rssi, secure };
}
