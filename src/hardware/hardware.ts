// What a board can have, as interfaces: tools and sessions know these, drivers and simulated parts implement them.

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
	close(): void;
}

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

export type Theme = "light" | "dark";

/** A display as a whole. */
export interface Screen {
	readonly width: number;
	readonly height: number;
	/** 0 to 100, whole. */
	readonly brightness: number;
	readonly theme: Theme;
	/** @param brightness 0 to 100; kept across restarts. */
	setBrightness(brightness: number): void;
	/** Kept across restarts. */
	setTheme(theme: Theme): void;
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
	/** Free memory in bytes, where it is known. */
	readonly freeHeap?: number | undefined;
	/** The least that was ever free since the start, in bytes, where it is known. */
	readonly minimumFreeHeap?: number | undefined;
	readonly network?: Network | undefined;
	/** Restarts the machine; it does not return on hardware. */
	restart(): void;
}

/** What every board has; boards add their own parts. */
export interface Board {
	/** The board's folder name; it is the server's name on the wire. */
	readonly name: string;
	readonly system: System;
	readonly speaker?: Speaker | undefined;
	readonly screen?: Screen | undefined;
	readonly battery?: Battery | undefined;
	/** Turns everything off and lets go of the hardware. */
	close(): void;
}
