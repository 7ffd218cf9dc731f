// A device's way from power on to its connections: Wi-Fi, clock, configuration; again after each loss of the network.
// esp32.manifest.json leaves out the SDK's own setup, which joins once, before the firmware starts, and waits for ever.

import { Timeout, type Timers } from "../base/timers.js";
import type { Board } from "../hardware/board.js";
import type { Door } from "../http/listener.js";
import { ToolError } from "../mcp/content.js";
import type { ConnectionSettings } from "../settings/connection-settings.js";
import { connectionSettings, readSetting, setting, settingsLine } from "../settings/settings.js";
import type { TlsSettings } from "../tls/settings.js";
import { Clock, suggestTime } from "./clock.js";
import type { ConfigurationClient } from "./configuration-client.js";
import type { OfferedFirmware } from "./firmware-offer.js";
import { isMainSession } from "./safe-mode.js";
import type { SetupMode } from "./setup-mode.js";
import { WifiKeeper } from "./wifi-keeper.js";

/** Without a network for so long the set-up page opens. */
export const SETUP_AFTER_MS = 120_000;

export interface StartupOptions {
	board: Board;
	timers: Timers;
	/** Listening sockets, which the set-up page shares with whoever else serves. */
	doors: Door[];
	tls?: TlsSettings | undefined;
	/** Undefined in a build without the set-up page. */
	SetupMode: typeof SetupMode | undefined;
	/** Undefined in a build without the configuration server. */
	ConfigurationClient: typeof ConfigurationClient | undefined;
	/** What servers know the device by. */
	deviceId: string;
	clientId: string;
	log(line: string): void;
	/** What to connect to, now that there is a network; again with each change. */
	onConnections(connections: readonly ConnectionSettings[]): void;
	/** The configuration server knows this firmware, perhaps a newer one. */
	onFirmware(firmware: OfferedFirmware): void;
	/** The configuration server knows how many minutes local time is ahead of UTC. */
	onZone(minutes: number): void;
	/** Can a main session be ready soon, or is there no network or no server for it? */
	onExpectHello(expected: boolean): void;
	/** The network is gone: close what is open. */
	onOffline(): void;
	/** The owner has saved new settings. */
	onSaved(): void;
}

export class Startup {
	readonly #options: StartupOptions;
	readonly #clock: Clock;
	readonly #setup: SetupMode | undefined;
	/** Opens the set-up page after a while without a network. */
	readonly #noNetwork: Timeout;
	#wifi: WifiKeeper | undefined;
	#configuration: ConfigurationClient | undefined;
	#online = false;

	constructor(options: StartupOptions) {
		const { board, doors, log, timers, onSaved, SetupMode } = options;
		this.#options = options;
		this.#clock = new Clock({ timers, log });
		this.#noNetwork = new Timeout(timers);
		this.#setup = SetupMode && new SetupMode({ board, doors, timers, log, onSaved, show: (text) => this.show(text), onIdle: () => this.join() });
	}

	/** Without Wi-Fi to join, as in a simulator, `onConnections` is called at once if nothing has to be asked for. */
	start(): void {
		const { board, log } = this.#options;
		log(settingsLine());
		if (!board.system.wifi) return this.configure();
		if (!setting("ssid")) {
			log("start: no Wi-Fi is set");
			this.offerSetup();
			return;
		}
		this.join();
	}

	/**
	 * Opens the set-up page. With Wi-Fi, the radio is then the page's: the network is left.
	 * @returns the page's address
	 * @throws ToolError in a build without the page
	 */
	openSetup(): string {
		const { board, onOffline } = this.#options;
		if (!this.#setup) throw new ToolError("This firmware was built without the set-up page");
		if (this.#setup.address === undefined && board.system.wifi) {
			this.#noNetwork.clear();
			this.offline();
			onOffline();
			this.#wifi?.close();
			this.#wifi = undefined;
		}
		return this.#setup.open();
	}

	/** Opens the set-up page where this build has one; otherwise says in the log what to do without it. */
	offerSetup(): void {
		if (this.#setup) this.openSetup();
		else this.#options.log("start: this firmware was built without the set-up page; build with ssid=NAME password=PASSWORD");
	}

	/** The main session's server refuses this device: its configuration, where a server gave it, may be old. */
	configureAgain(): void {
		this.#configuration?.askAgain();
	}

	/** Ends it all. May be called twice. */
	close(): void {
		this.#noNetwork.clear();
		this.offline();
		this.#wifi?.close();
		this.#wifi = undefined;
		this.#setup?.close();
	}

	private join(): void {
		const { board, log, timers, onOffline } = this.#options;
		this.waitForNetwork();
		this.#wifi = new WifiKeeper({
			wifi: board.system.wifi as NonNullable<typeof board.system.wifi>,
			ssid: setting("ssid"),
			password: setting("password"),
			timers,
			log,
			onUp: () => {
				this.#noNetwork.clear();
				this.#online = true;
				this.#clock.set(() => this.configure());
			},
			onDown: () => {
				if (!this.#online) return;
				this.offline();
				this.waitForNetwork();
				onOffline();
			},
		});
		this.#wifi.start();
	}

	private waitForNetwork(): void {
		this.#noNetwork.set(SETUP_AFTER_MS, () => {
			this.#options.log(`start: no network for ${SETUP_AFTER_MS / 1000} s`);
			this.offerSetup();
		});
	}

	/** Closes what needs the network. */
	private offline(): void {
		this.#online = false;
		this.#options.onExpectHello(false);
		this.#clock.close();
		this.#configuration?.close();
		this.#configuration = undefined;
	}

	private configure(): void {
		const { board, clientId, deviceId, log, onConnections, onFirmware, onZone, timers, tls, ConfigurationClient } = this.#options;
		const address = readSetting("ota_url");
		const own = connectionSettings();
		if (!address.text) return this.connect(own);
		if (!ConfigurationClient) {
			log("start: ota_url is not asked: this firmware was built without the configuration server");
			return this.connect(own);
		}
		// Only the main session waits for the configuration.
		const others = own.filter((connection) => !isMainSession(connection));
		if (others.length) onConnections(others);
		this.#configuration = new ConfigurationClient({
			address,
			board,
			deviceId,
			clientId,
			timers,
			tls,
			log,
			onMissing: () => {
				if (own.some(isMainSession)) this.connect(own);
			},
			onActivation: (activation) => this.show(activation ? `${activation.message} ${activation.code}`.trim() : ""),
			onConfiguration: ({ connection, firmware, serverTimeMs, zone }) => {
				if (zone !== undefined) onZone(zone);
				if (serverTimeMs) suggestTime(serverTimeMs);
				if (firmware && firmware.url !== address.text) onFirmware(firmware);
				// A backend takes the place of the device's own one, a broker that of both.
				const rest = connection?.kind === "session" ? own.filter(({ kind }) => kind !== "session") : others;
				this.connect(connection ? [connection, ...rest] : own);
			},
		});
		this.#configuration.start();
	}

	/** The main session's server is known, or there is none. */
	private connect(connections: readonly ConnectionSettings[]): void {
		this.#options.onExpectHello(true);
		this.#options.onConnections(connections);
	}

	/** For the owner's eyes, where there is a screen that can show text. */
	show(text: string): void {
		const { board, log } = this.#options;
		const { screen } = board;
		try {
			if (screen && "showText" in screen) screen.showText?.(text);
		} catch (error) {
			log(`start: the screen cannot show a text: ${(error as Error).message}`);
		}
	}
}
