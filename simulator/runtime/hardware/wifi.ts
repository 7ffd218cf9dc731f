// "wifi": an ESP32's radio as Moddable provides it; every network exists, takes any password, and is joined at once.

import Timer from "timer";

type Notify = (message: string, code?: number) => void;

export default class WiFi {
	static readonly gotIP = "gotIP";
	static readonly disconnected = "disconnect";
	#timer: ReturnType<typeof Timer.set> | undefined;

	/** 1 station, 2 access point, 3 both. No field: in Moddable's simulator the module "wifi" lives in flash, where fields cannot change. */
	static set mode(_mode: number) {}

	/** @throws Error for a name that no network can have */
	constructor(options: { ssid: string; password?: string }, onNotify: Notify) {
		if (!options.ssid) throw new Error("ssid required");
		if (ArrayBuffer.fromString(options.ssid).byteLength > 32) throw new Error("ssid too long - 32 bytes max");
		this.#timer = Timer.set(() => {
			this.#timer = undefined;
			onNotify(WiFi.gotIP);
		}, 0);
	}

	close(): void {
		if (this.#timer !== undefined) Timer.clear(this.#timer);
		this.#timer = undefined;
	}

	static scan(_options: object, callback: (network?: object | null) => void): void {
		Timer.set(() => {
			callback({ ssid: "simulated", rssi: -55, channel: 1, authentication: "wpa2_psk" });
			callback(null);
		}, 0);
	}

	static accessPoint(_options: object): void {}

	static disconnect(): void {}
}
