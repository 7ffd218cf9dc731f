// A device's way from power on to its sessions: Wi-Fi, clock, configuration, activation; and the page for its first set-up.
// esp32.manifest.json leaves out the SDK's own setup, which joins once, before the firmware starts, and waits for ever.

import config from "mc/config";
import Time from "time";
import type { Timers } from "../mcp/server.js";
import type { ToolList } from "../mcp/tool-list.js";
import { defineTools } from "../mcp/tool-list.js";
import { setting, settingsLine } from "../settings/device-settings.js";
import type { SettingName } from "../settings/setting-names.js";
import { SetupServer } from "../setup/server.js";
import type { TlsSettings } from "../tls/settings.js";
import { ClockSetter } from "./clock.js";
import { type Configuration, ConfigurationSource } from "./configuration.js";
import { EARLIEST_CLOCK_MS, type Life } from "./life.js";
import type { LivingBoard } from "./living-board.js";
import { WifiKeeper } from "./wifi-keeper.js";

/** Without a network for so long the set-up page opens. */
export const SETUP_AFTER_MS = 120_000;
/** After so long without a visitor the set-up page closes and the known network is tried again. */
export const SETUP_IDLE_MS = 300_000;
/** After so long a time server that gave no time is asked again. */
export const CLOCK_AGAIN_MS = 300_000;

/** The tools that a device in safe mode offers to the model: those of the reference. */
const COMMON_TOOLS: readonly string[] = Object.freeze([
	"self.get_device_status",
	"self.audio_speaker.set_volume",
	"self.screen.set_brightness",
	"self.screen.set_theme",
]);

/** What the configuration server says in place of settings; "" : not there, absent: as in the settings. */
export type Servers = { readonly [name in SettingName]?: string };

export interface StartOptions {
	board: LivingBoard;
	life: Life;
	timers: Timers;
	tls?: TlsSettings | undefined;
	/** What servers know the device by. */
	deviceId: string;
	clientId: string;
	log(line: string): void;
	/** The network and the servers are known: connect, after what stood before has been closed. */
	onServers(servers: Servers): void;
	/** The network is gone: close what stands. */
	onOffline(): void;
}

/** Goes through the steps of a start, again after each loss of the network. */
export class Start {
	readonly #options: StartOptions;
	#wifi: WifiKeeper | undefined;
	#clock: ClockSetter | undefined;
	#clockTimer: unknown;
	#source: ConfigurationSource | undefined;
	#setup: SetupServer | undefined;
	/** Opens the set-up page after a while without a network, and closes it after a while without a visitor. */
	#setupTimer: unknown;
	#online = false;

	constructor(options: StartOptions) {
		this.#options = options;
	}

	/** Where there is no Wi-Fi to join, as in a simulator, `onServers` is called at once if nothing has to be asked for. */
	start(): void {
		const { board, log } = this.#options;
		const { wifi } = board.system;
		log(settingsLine());
		if (!wifi) return this.#configure();
		if (!setting("ssid")) {
			log("start: no Wi-Fi is set");
			this.openSetup();
			return;
		}
		this.#join();
	}

	/**
	 * Opens the set-up page, in an access point where the device has Wi-Fi.
	 * @returns the page's address
	 */
	openSetup(): string {
		const { board, life, log, onOffline, timers } = this.#options;
		if (this.#setup) return this.#setup.address;
		const { wifi } = board.system;
		if (wifi) {
			this.#offline();
			onOffline();
			this.#wifi?.close();
			this.#wifi = undefined;
		}
		this.#setup = new SetupServer({
			wifi,
			name: `${board.name}-${board.system.macAddress.replaceAll(":", "").slice(-4).toUpperCase()}`,
			timers,
			log,
			onVisit: () => this.#setupIdle(),
			onSaved: () => life.restart("set up"),
		});
		this.#setupIdle();
		const { address } = this.#setup;
		this.#show(this.#setup.instruction);
		log(`setup: ${this.#setup.instruction}`);
		return address;
	}

	/** Ends it all. May be called twice. */
	close(): void {
		this.#clearSetupTimer();
		this.#offline();
		this.#wifi?.close();
		this.#wifi = undefined;
		this.#setup?.close();
		this.#setup = undefined;
	}

	#join(): void {
		const { board, log, timers, onOffline } = this.#options;
		this.#setSetupTimer(SETUP_AFTER_MS, () => this.#noNetwork());
		this.#wifi = new WifiKeeper({
			wifi: board.system.wifi as NonNullable<typeof board.system.wifi>,
			ssid: setting("ssid"),
			password: setting("password"),
			timers,
			log,
			onUp: () => {
				this.#clearSetupTimer();
				this.#online = true;
				this.#setClock(() => this.#configure());
			},
			onDown: () => {
				if (!this.#online) return;
				this.#offline();
				this.#setSetupTimer(SETUP_AFTER_MS, () => this.#noNetwork());
				onOffline();
			},
		});
		this.#wifi.start();
	}

	#noNetwork(): void {
		this.#options.log(`start: no network for ${SETUP_AFTER_MS / 1000} s`);
		this.openSetup();
	}

	/** Closes what needs the network. */
	#offline(): void {
		this.#online = false;
		this.#options.life.expectHello(false);
		if (this.#clockTimer !== undefined) this.#options.timers.clear(this.#clockTimer);
		this.#clockTimer = undefined;
		this.#clock?.close();
		this.#clock = undefined;
		this.#source?.close();
		this.#source = undefined;
	}

	/** The start goes on whether there is a time or not; without one it is asked for again and again. */
	#setClock(goOn: () => void): void {
		if (Date.now() > EARLIEST_CLOCK_MS) return goOn();
		const { log, timers } = this.#options;
		const server: unknown = config.sntp;
		this.#clock = new ClockSetter({
			server: typeof server === "string" && server ? server : undefined,
			onDone: (problem) => {
				if (problem) {
					log(`clock: ${problem}; TLS will fail until it is set; asking again in ${CLOCK_AGAIN_MS / 1000} s`);
					this.#clockTimer = timers.set(() => {
						this.#clockTimer = undefined;
						this.#setClock(() => {});
					}, CLOCK_AGAIN_MS);
				} else log(`clock: ${new Date().toISOString()}`);
				goOn();
			},
		});
	}

	#configure(): void {
		const { board, clientId, deviceId, log, onServers, timers, tls } = this.#options;
		const otaUrl = setting("ota_url");
		if (!otaUrl) return this.#connect({});
		// Only the main session waits for the configuration.
		if (setting("endpoint") || setting("framed_address")) onServers({ url: "", mqtt_endpoint: "" });
		this.#source = new ConfigurationSource({
			url: otaUrl,
			board,
			deviceId,
			clientId,
			timers,
			tls,
			log,
			onMissing: () => (setting("url") || setting("mqtt_endpoint")) && this.#connect({}),
			onActivation: (activation) => this.#show(activation ? `${activation.message} ${activation.code}`.trim() : ""),
			onConfiguration: ({ websocket, mqtt, serverTimeMs }) => {
				// Better than none where no time server was found.
				if (serverTimeMs && serverTimeMs > EARLIEST_CLOCK_MS && Date.now() < EARLIEST_CLOCK_MS) Time.set(Math.floor(serverTimeMs / 1000));
				// The reference prefers MQTT where both are given.
				if (mqtt) this.#connect({ url: "", ...mqttServers(mqtt) });
				else if (websocket) this.#connect({ url: websocket.url, token: websocket.token || setting("token") });
				else this.#connect({});
			},
		});
		this.#source.start();
	}

	/** The main session's server is known, or there is none: from now on a good hello can be expected. */
	#connect(servers: Servers): void {
		this.#options.life.expectHello(true);
		this.#options.onServers(servers);
	}

	/** For the owner's eyes, where there is a screen that can. */
	#show(text: string): void {
		const { board, log } = this.#options;
		const { screen } = board;
		try {
			if (screen && "showText" in screen) screen.showText?.(text);
		} catch (error) {
			log(`start: the screen shows nothing: ${(error as Error).message}`);
		}
	}

	#setupIdle(): void {
		// Without a known network there is nothing to go back to.
		if (!this.#options.board.system.wifi || !setting("ssid")) return;
		this.#setSetupTimer(SETUP_IDLE_MS, () => {
			this.#options.log("setup: nobody came; trying the known network again");
			this.#setup?.close();
			this.#setup = undefined;
			this.#show("");
			this.#join();
		});
	}

	#setSetupTimer(delay: number, act: () => void): void {
		this.#clearSetupTimer();
		this.#setupTimer = this.#options.timers.set(() => {
			this.#setupTimer = undefined;
			act();
		}, delay);
	}

	#clearSetupTimer(): void {
		if (this.#setupTimer !== undefined) this.#options.timers.clear(this.#setupTimer);
		this.#setupTimer = undefined;
	}
}

/** All of a broker's settings: what it has not been given must not come from another broker's. */
function mqttServers(mqtt: NonNullable<Configuration["mqtt"]>): Servers {
	return {
		mqtt_endpoint: mqtt.endpoint,
		mqtt_client_id: mqtt.clientId,
		mqtt_username: mqtt.username,
		mqtt_password: mqtt.password,
		mqtt_publish: mqtt.publishTopic,
		mqtt_subscribe: mqtt.subscribeTopic,
		mqtt_keepalive: mqtt.keepalive,
	};
}

/** The tools of a device in safe mode: the common ones, and those for its owner. */
export function safeTools<B>(tools: ToolList<B>): ToolList<B> {
	return defineTools(
		tools.tools.filter(({ name }) => COMMON_TOOLS.includes(name)),
		tools.userTools,
	);
}
