// Newer firmware that the configuration server knows: announced once, installed when the owner says so, or by itself where that is set.

import { oneLine } from "../base/text.js";
import { Timeout, type Timers } from "../base/timers.js";
import { isOlder } from "../base/version.js";
import { BootStore } from "./boot-store.js";

/** How long the screen says that there is newer firmware. */
export const OFFER_SHOWN_MS = 60_000;

/** What a configuration reply says about firmware. */
export interface OfferedFirmware {
	readonly version: string;
	/** Where the image is; absent where the reply names no usable address. */
	readonly url?: string | undefined;
}

export interface FirmwareOfferOptions {
	/** That of the running firmware. */
	version: string;
	timers: Timers;
	log(line: string): void;
	/** Tells the peers. */
	notify(params: { readonly version: string }): void;
	/** Shows a text to the owner; "" takes it away. */
	show(text: string): void;
	/** Installs an image by itself; absent unless the owner has set `auto_upgrade` and images are signed. */
	install?: ((url: string) => Promise<unknown>) | undefined;
}

export class FirmwareOffer {
	readonly #options: FirmwareOfferOptions;
	readonly #shown: Timeout;
	#offered: OfferedFirmware | undefined;

	constructor(options: FirmwareOfferOptions) {
		this.#options = options;
		this.#shown = new Timeout(options.timers);
	}

	/** Where the newer firmware is, if there is one. */
	get url(): string | undefined {
		return this.#offered?.url;
	}

	/** The configuration server knows this firmware. What is not newer, or was told already, is passed over. */
	take(firmware: OfferedFirmware): void {
		const { version: own, log, notify, show } = this.#options;
		if (!isOlder(own, firmware.version) || firmware.version === this.#offered?.version) return;
		this.#offered = firmware;
		const version = oneLine(firmware.version, 40);
		log(`upgrade: version ${version} is available${firmware.url ? "; self.upgrade_firmware installs it" : ", but the server does not say where"}`);
		notify({ version });
		show(`Firmware ${version} is available`);
		this.#shown.set(OFFER_SHOWN_MS, () => show(""));
		this.#install(firmware);
	}

	/** May be called twice. */
	close(): void {
		this.#shown.clear();
	}

	/** Each version once: one that was installed, failed its trial and was taken back is still offered. */
	#install({ url, version }: OfferedFirmware): void {
		const { install, log } = this.#options;
		if (!install || !url) return;
		const store = new BootStore(log);
		if (store.anyText("installed") === version) return log("upgrade: it was installed by itself before, and is not running: left to the owner");
		store.keep("installed", version);
		install(url).catch((error) => log(`upgrade: not installed by itself: ${(error as Error).message}`));
	}
}
