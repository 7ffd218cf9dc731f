// An ESP32-S3 that remembers how warm it was.

import { ChipTemperature } from "drivers/chip-temperature";
import { esp32 } from "drivers/esp32";
import { Esp32System } from "drivers/esp32-system";
import { Interval } from "drivers/interval";
import { Parts } from "drivers/parts";
import type { Board } from "hardware/board";
import timers from "sdk/timer";
import { PreferenceStore } from "settings/preference-store";

const INTERVAL_MS = 60_000;
/** The last hour. */
const MAX_READINGS = 60;

/** What the tools of this board can use. */
export type TemperatureChartBoard = Board & {
	/** One a minute, the oldest first, in degrees Celsius; undefined where the sensor did not answer. */
	readonly readings: readonly number[] | undefined;
};

export function createBoard(): TemperatureChartBoard {
	const parts = new Parts();
	const sensor = parts.make("chip temperature", () => new ChipTemperature(esp32));
	const system = new Esp32System({ io: esp32, chip: "esp32s3", settings: new PreferenceStore("moddable-mcp"), sensor });
	const readings: number[] = [];
	const read = () => {
		const celsius = sensor?.celsius;
		if (celsius === undefined) return;
		readings.push(celsius);
		if (readings.length > MAX_READINGS) readings.shift();
	};
	const interval = new Interval(timers);
	parts.add({ close: () => interval.stop() });
	read();
	interval.start(INTERVAL_MS, read);
	return {
		name: "temperature_chart",
		about: "a thermometer that draws its last hour",
		system,
		readings: sensor && readings,
		missing: parts.missing,
		close: () => parts.close(),
	};
}
