// A simulated Wi-Fi radio, for trying the first set-up: there with `wifi=simulated` in the configuration.

import { Timeout, type Timers } from "base/timers";
import type { Wifi, WifiCallbacks, WifiFound } from "hardware/wifi";

const JOIN_MS = 300;
const SCAN_MS = 200;
/** The password of every secured network. */
export const SIMULATED_PASSWORD = "correct horse";

const NETWORKS: readonly WifiFound[] = Object.freeze([
	Object.freeze({ ssid: "Home", rssi: -48, secure: true }),
	Object.freeze({ ssid: "Café am Markt 咖啡", rssi: -63, secure: false }),
	Object.freeze({ ssid: '<b>"Neighbours" & Co</b>', rssi: -82, secure: true }),
]);

/** Three networks in the air; the access point is this machine's own loopback address. */
export class SimulatedWifi implements Wifi {
	readonly #timers: Timers;
	readonly #joining: Timeout;
	#accessPoint = false;

	constructor(timers: Timers) {
		this.#timers = timers;
		this.#joining = new Timeout(timers);
	}

	join(ssid: string, password: string, { onUp, onDown }: WifiCallbacks): void {
		this.#joining.set(JOIN_MS, () => {
			const network = NETWORKS.find((found) => found.ssid === ssid);
			if (!network) onDown(`"${ssid}" was lost or is not there`);
			else if (network.secure && password !== SIMULATED_PASSWORD) onDown("the password was refused");
			else onUp();
		});
	}

	leave(): void {
		this.#joining.clear();
	}

	scan(onFound: (networks: readonly WifiFound[]) => void): void {
		this.#timers.set(() => onFound(NETWORKS), SCAN_MS);
	}

	openAccessPoint(_ssid: string, _password: string | undefined): string {
		if (this.#accessPoint) throw new Error("the access point is open already");
		this.#accessPoint = true;
		return "127.0.0.1";
	}

	closeAccessPoint(): void {
		this.#accessPoint = false;
	}
}
