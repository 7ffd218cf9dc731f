// The set-up page as a mode of the device: who opens it, what the screen says, and when it gives up waiting for a visitor.

import { Timeout, type Timers } from "../base/timers.js";
import type { Board } from "../hardware/board.js";
import type { Door } from "../http/listener.js";
import { setting } from "../settings/settings.js";
import { SetupServer } from "../setup/server.js";

/** After so long without a visitor the set-up page closes and the known network is tried again. */
export const SETUP_IDLE_MS = 300_000;

export interface SetupModeOptions {
	board: Board;
	timers: Timers;
	doors: Door[];
	log(line: string): void;
	/** Shows a text to the owner; "" takes it away. */
	show(text: string): void;
	/** New settings have been kept. */
	onSaved(): void;
	/** Nobody came; the page is closed. */
	onIdle(): void;
}

export class SetupMode {
	readonly #options: SetupModeOptions;
	readonly #idle: Timeout;
	#server: SetupServer | undefined;

	constructor(options: SetupModeOptions) {
		this.#options = options;
		this.#idle = new Timeout(options.timers);
	}

	/** The page's address while it is open. */
	get address(): string | undefined {
		return this.#server?.address;
	}

	/**
	 * Opens the page, in an access point where the device has Wi-Fi.
	 * @returns the page's address
	 */
	open(): string {
		if (this.#server) return this.#server.address;
		const { board, doors, timers, log, show, onSaved } = this.#options;
		this.#server = new SetupServer({
			wifi: board.system.wifi,
			name: `${board.name}-${board.system.macAddress.replaceAll(":", "").slice(-4).toUpperCase()}`,
			timers,
			log,
			doors,
			onVisit: () => this.wait(),
			onSaved,
		});
		this.wait();
		show(this.#server.instruction);
		log(`setup: ${this.#server.instruction}`);
		return this.#server.address;
	}

	/** May be called twice. */
	close(): void {
		this.#idle.clear();
		this.#server?.close();
		this.#server = undefined;
	}

	private wait(): void {
		// Without a known network there is nothing to go back to.
		if (!this.#options.board.system.wifi || !setting("ssid")) return;
		this.#idle.set(SETUP_IDLE_MS, () => {
			this.#options.log("setup: nobody came; trying the known network again");
			this.close();
			this.#options.show("");
			this.#options.onIdle();
		});
	}
}
