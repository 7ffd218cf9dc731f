// A simulated Wi-Fi radio, for trying the first set-up: there with `wifi=simulated` in the configuration.

import type { Wifi, WifiCallbacks, WifiFound } from "hardware/wifi";
import Timer from "timer";

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
	#timer: ReturnType<typeof Timer.set> | undefined;
	#accessPoint = false;

	join(ssid: string, password: string, { onUp, onDown }: WifiCallbacks): void {
		this.leave();
		this.#timer = Timer.set(() => {
			this.#timer = undefined;
			const network = NETWORKS.find((found) => found.ssid === ssid);
			if (!network) onDown(`"${ssid}" was lost or is not there`);
			else if (network.secure && password !== SIMULATED_PASSWORD) onDown("the password was refused");
			else onUp();
		}, JOIN_MS);
	}

	leave(): void {
		if (this.#timer !== undefined) Timer.clear(this.#timer);
		this.#timer = undefined;
	}

	scan(onFound: (networks: readonly WifiFound[]) => void): void {
		Timer.set(() => onFound(NETWORKS), SCAN_MS);
	}

	openAccessPoint(_ssid: string): string {
		if (this.#accessPoint) throw new Error("the access point is open already");
		this.#accessPoint = true;
		return "127.0.0.1";
	}

	closeAccessPoint(): void {
		this.#accessPoint = false;
	}
}
