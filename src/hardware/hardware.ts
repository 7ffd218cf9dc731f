// What a board can have, as interfaces: tools and sessions know these, drivers and simulated parts implement them.

/** A part of a melody. */
export interface Tone {
	/** In hertz; 0 is silence. */
	readonly frequency: number;
	/** In milliseconds. */
	readonly duration: number;
}

/** A loudspeaker. */
export interface Speaker {
	/** 0 to 100, whole. */
	readonly volume: number;
	/** @param volume 0 to 100; kept across restarts. */
	setVolume(volume: number): void;
	/**
	 * Plays a tone without waiting for its end; a tone that still sounds is replaced.
	 * @param frequency in hertz
	 * @param duration in milliseconds
	 */
	playTone(frequency: number, duration: number): void;
	/** As `playTone`, for tones one after the other. */
	playTones(tones: readonly Tone[]): void;
	close(): void;
}

/**
 * Draws one step of an animation.
 * @param step counts from 0
 * @param colors red, green and blue of every pixel, 0 to 255, as the step before left them; all black at first
 */
export type Frame = (step: number, colors: Uint8Array) => void;

/** A light of one or many RGB pixels. */
export interface RgbLight {
	/** How many pixels there are. */
	readonly length: number;
	readonly on: boolean;
	/** 0 to 100, whole. */
	readonly brightness: number;
	setPower(on: boolean): void;
	/** @param brightness 0 to 100 */
	setBrightness(brightness: number): void;
	/** Sets every pixel; each part 0 to 255. Turns the light on. */
	setAll(red: number, green: number, blue: number): void;
	/**
	 * Sets the pixel at `index`, 0 to length − 1. Turns the light on.
	 * @throws RangeError for a pixel that is not there
	 */
	setPixel(index: number, red: number, green: number, blue: number): void;
	/**
	 * Turns the light on and calls `frame` at once and then again and again, until colors are set or the light is turned on,
	 * off or to another animation. The colors that were set before are kept for then.
	 * @param interval between two steps in milliseconds; 20 where it is less
	 */
	animate(frame: Frame, interval: number): void;
	close(): void;
}

/** A positional servo. */
export interface Servo {
	/** The smallest angle in degrees. */
	readonly minimum: number;
	/** The largest angle in degrees. */
	readonly maximum: number;
	/** The angle in degrees that the servo stands at or moves to. */
	readonly angle: number;
	/**
	 * Moves to `angle`, clamped to the range; a later call replaces an unfinished move.
	 * @param angle in degrees
	 * @param speed in degrees per second; 0 or absent: at once
	 */
	setAngle(angle: number, speed?: number): void;
	close(): void;
}

/** A servo that tells where it stands. */
export interface FeedbackServo extends Servo {
	/** Is it on its way to `angle`? */
	readonly moving: boolean;
	/**
	 * Asks the servo where it stands, in degrees.
	 * @throws Error when it does not answer
	 */
	readAngle(): number;
	/** Ends a move at once; the servo stays where it is. */
	stop(): void;
}

export type Theme = "light" | "dark";

/** The light behind a display. */
export interface Backlight {
	/** 0 to 100, whole. */
	readonly brightness: number;
	/** @param brightness 0 to 100; kept across restarts. */
	setBrightness(brightness: number): void;
	close(): void;
}

/** A display as a whole. */
export interface Screen extends Backlight {
	readonly width: number;
	readonly height: number;
	readonly theme: Theme;
	/** Kept across restarts. */
	setTheme(theme: Theme): void;
	/** What `showText` shows; absent while it is nothing. */
	readonly text?: string | undefined;
	/** Shows a short text for the owner, such as a code; "" takes it away. Absent where the display cannot. */
	showText?(text: string): void;
}

/** A button or a touch pad. */
export interface Button {
	readonly pressed: boolean;
	close(): void;
}

/** A battery gauge. */
export interface Battery {
	/** Charge, 0 to 100. */
	readonly level: number;
	readonly charging: boolean;
}

/** A lamp that is on or off. */
export interface Lamp {
	readonly on: boolean;
	setPower(on: boolean): void;
	close(): void;
}

/** The network link. */
export interface Network {
	readonly type: string;
	readonly ssid?: string | undefined;
	/** Received signal strength in dBm. */
	readonly rssi?: number | undefined;
	readonly ip?: string | undefined;
	/** The Wi-Fi channel. */
	readonly channel?: number | undefined;
}

/** A Wi-Fi that a station has found. */
export interface WifiFound {
	readonly ssid: string;
	/** In dBm. */
	readonly rssi: number;
	/** Does it want a password? */
	readonly secure: boolean;
}

/** What the Wi-Fi station tells. */
export interface WifiCallbacks {
	/** The station has an address. */
	onUp(): void;
	/** The station is not connected, or no longer; it does not try again by itself. */
	onDown(reason: string): void;
}

/** The Wi-Fi radio. */
export interface Wifi {
	/** Begins to join a network as a station; a network that is joined is left. */
	join(ssid: string, password: string, callbacks: WifiCallbacks): void;
	/** Leaves the network; nothing is told about it. */
	leave(): void;
	/** Looks for networks; `onFound` gets them, once, the strongest first, each name once. */
	scan(onFound: (networks: readonly WifiFound[]) => void): void;
	/**
	 * Opens an access point without a password.
	 * @returns this device's address in it
	 */
	openAccessPoint(ssid: string): string;
	closeAccessPoint(): void;
}

/** A firmware that is being written. */
export interface FirmwareWriter {
	/** @throws when the flash refuses */
	write(bytes: Uint8Array): void;
	/**
	 * The image is whole: checks it, and has it started next time.
	 * @throws when it is not valid; the running firmware stays
	 */
	complete(): void;
	/** Lets go; without `complete` the running firmware stays. May be called twice. */
	close(): void;
}

/** The place for the next firmware, and the way back to the one before. */
export interface FirmwareSlot {
	/** In bytes. */
	readonly size: number;
	/** The name of the place that the running firmware is in, such as "ota_0", where it is known. */
	readonly running?: string | undefined;
	/** Does the bootloader start the firmware before at the next restart unless `confirm` is called? */
	readonly onTrial: boolean;
	/** @throws when there is no such place */
	open(byteLength: number): FirmwareWriter;
	/**
	 * The running firmware works: the bootloader keeps it.
	 * @throws when the flash refuses
	 */
	confirm(): void;
	/**
	 * Restarts the machine with the firmware before; it does not return on hardware.
	 * @throws when there is none that can be started; the running firmware stays
	 */
	rollBack(): void;
}

/** What a chip says of itself: the members of ESP-IDF's `esp_chip_info_t`. */
export interface ChipInfo {
	/** `esp_chip_model_t`. */
	readonly model: number;
	readonly cores: number;
	/** Hundreds are the major version, the rest is the minor one. */
	readonly revision: number;
	/** A bit for each `CHIP_FEATURE_…`. */
	readonly features: number;
}

/** What a firmware image says of itself: members of ESP-IDF's `esp_app_desc_t`. */
export interface ImageInfo {
	/** Such as "Jan  1 2026T12:00:00Z"; a reproducible build has none. */
	readonly compileTime?: string | undefined;
	/** ESP-IDF's version, such as "v6.0". */
	readonly idfVersion?: string | undefined;
	/** 64 hexadecimal digits. */
	readonly elfSha256: string;
}

/** A part of the flash: an entry of ESP-IDF's partition table. */
export interface Partition {
	readonly label: string;
	readonly type: number;
	readonly subtype: number;
	/** In bytes from the beginning of the flash. */
	readonly address: number;
	/** In bytes. */
	readonly size: number;
}

/** The chip and what runs on it. */
export interface System {
	/** The firmware's version. */
	readonly version: string;
	/** The chip's name, such as "esp32s3". */
	readonly chip: string;
	/** The network address as `aa:bb:cc:dd:ee:ff`. */
	readonly macAddress: string;
	/** This device's UUID, made once and kept. */
	readonly uuid: string;
	/** In degrees Celsius, where the chip has a sensor. */
	readonly temperature?: number | undefined;
	readonly chipInfo?: ChipInfo | undefined;
	/** In bytes. */
	readonly flashSize?: number | undefined;
	/** At most 16. */
	readonly partitions?: readonly Partition[] | undefined;
	/** The image that runs. */
	readonly image?: ImageInfo | undefined;
	/** Free memory in bytes, where it is known. */
	readonly freeHeap?: number | undefined;
	/** The least that was ever free since the start, in bytes, where it is known. */
	readonly minimumFreeHeap?: number | undefined;
	readonly network?: Network | undefined;
	/** Absent where the network is somebody else's business, as in a simulator. */
	readonly wifi?: Wifi | undefined;
	/** Absent where the firmware cannot be replaced. */
	readonly firmware?: FirmwareSlot | undefined;
	/** Why the machine started, in a few words, where it is known; "power on" when it was without power before. */
	readonly resetReason?: string | undefined;
	/** Restarts the machine; it does not return on hardware. */
	restart(): void;
}

/** A part that a board should have and that did not answer. */
export interface MissingPart {
	/** What it is, in words. */
	readonly part: string;
	/** What went wrong, in words. */
	readonly reason: string;
	/** How the names of the tools that need it begin, such as "self.audio_speaker."; "" where none does. */
	readonly tools: string | readonly string[];
}

/** What every board has; boards add their own parts. */
export interface Board {
	/** The board's folder name; it is the server's name on the wire. */
	readonly name: string;
	readonly system: System;
	readonly speaker?: Speaker | undefined;
	/** A screen, or only what lights one. */
	readonly screen?: Screen | Backlight | undefined;
	readonly battery?: Battery | undefined;
	/** What did not answer; the tools for it are left out. */
	readonly missing?: readonly MissingPart[] | undefined;
	/**
	 * Told of what happens at the device itself, such as `button_changed` with `{button, pressed}`. The program that puts
	 * everything together sets it on boards that have it.
	 */
	onEvent?: ((event: string, params: { readonly [key: string]: unknown }) => void) | undefined;
	/** Turns everything off and lets go of the hardware. */
	close(): void;
}
