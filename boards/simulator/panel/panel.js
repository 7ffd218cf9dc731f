// The panel of the simulated board in Moddable's simulator (mcsim): draws what the app's "simulator/panel" module sends.
// An exception in a panel ends mcsim without a word, so whatever comes in is checked and every entry is guarded.

import { ButtonsRow, ControlsColumn } from "ControlsPane";
import { DeviceBehavior, DeviceContainer, DeviceScreen } from "DevicePane";

const WIDTH = 680;
const HEIGHT = 460;

const INK = "#e8eaed";
const FAINT = "#5f6368";
const GROUND = "#202124";
const FIELD = "#303134";
const ACCENT = "#8ab4f8";
const LAMP = "#fdd663";
const GOOD = "#81c995";

const titleStyle = new Style({ font: "semibold 16px Open Sans", color: INK, horizontal: "left" });
const textStyle = new Style({ font: "14px Open Sans", color: INK, horizontal: "left" });
const darkTextStyle = new Style({ font: "14px Open Sans", color: GROUND, horizontal: "left" });

/** `value` if it is a number within the range, else `fallback`. */
function numberOr(value, minimum, maximum, fallback) {
	return typeof value === "number" && value >= minimum && value <= maximum ? value : fallback;
}

/** `value` if it is an object, else an empty one. */
function objectOr(value) {
	return typeof value === "object" && value !== null ? value : {};
}

/** A color of parts from 0 to 255, as Piu takes it. */
function color(red, green, blue) {
	const hex = (part) =>
		Math.round(numberOr(part, 0, 255, 0))
			.toString(16)
			.padStart(2, "0");
	return `#${hex(red)}${hex(green)}${hex(blue)}`;
}

class PanelBehavior extends DeviceBehavior {
	onCreate(container, device) {
		super.onCreate(container, device);
		this.parts = {};
	}
	onMessage(container, message) {
		try {
			const { part, state } = objectOr(JSON.parse(message));
			if (typeof part !== "string") return;
			if (part === "system") {
				if (objectOr(state).restart === true) this.onRestart();
				return;
			}
			this.parts[part] = objectOr(state);
			container.distribute("onPartsChanged", this.parts);
		} catch {
			// What cannot be read is not shown.
		}
	}
	onRestart() {
		// Later, because the app that asked for it is still running.
		application.defer("doReloadFile");
	}
}

class DrawingBehavior extends Behavior {
	onCreate() {
		this.parts = {};
	}
	onPartsChanged(port, parts) {
		this.parts = parts;
		port.invalidate();
	}
	onDraw(port) {
		try {
			this.draw(port);
		} catch {
			// A half-drawn panel is better than none.
		}
	}
	draw(port) {
		const parts = this.parts;
		port.fillColor(GROUND, 0, 0, WIDTH, HEIGHT);
		this.drawScreen(port, objectOr(parts.screen), 20, 20);
		this.drawSpeaker(port, objectOr(parts.speaker), 360, 20);
		this.drawLamp(port, objectOr(parts.lamp), 360, 130);
		this.drawBattery(port, objectOr(parts.battery), 360, 200);
		this.drawLight(port, objectOr(parts.light), 20, 290);
		this.drawServo(port, "left arm", objectOr(parts.servo0), 400, 290);
		this.drawServo(port, "right arm", objectOr(parts.servo1), 540, 290);
	}
	drawText(port, text, x, y, style = textStyle) {
		port.drawString(text, style, style === darkTextStyle ? GROUND : INK, x, y);
	}
	drawBar(port, value, fill, x, y, width) {
		port.fillColor(FIELD, x, y, width, 12);
		port.fillColor(fill, x, y, Math.round((width * value) / 100), 12);
	}
	drawScreen(port, { brightness, theme, text }, x, y) {
		const value = numberOr(brightness, 0, 100, 0);
		const dark = theme === "dark";
		this.drawText(port, "Screen", x, y, titleStyle);
		port.fillColor("#000000", x, y + 30, 300, 200);
		// What the backlight leaves of the theme's ground.
		const light = value / 100;
		const ground = (dark ? 48 : 255) * light;
		port.fillColor(color(ground, ground, (dark ? 56 : 250) * light), x + 8, y + 38, 284, 184);
		const readable = !dark && light > 0.5;
		this.drawText(port, `${dark ? "dark" : "light"} theme`, x + 24, y + 54, readable ? darkTextStyle : textStyle);
		this.drawText(port, `brightness ${value} %`, x + 24, y + 78, readable ? darkTextStyle : textStyle);
		// What the owner is to do or to type in, such as a code.
		if (typeof text === "string")
			for (let line = 0; line * 34 < text.length && line < 4; line++)
				this.drawText(port, text.slice(line * 34, (line + 1) * 34), x + 24, y + 112 + line * 22, readable ? darkTextStyle : textStyle);
	}
	drawSpeaker(port, { volume, tone }, x, y) {
		const value = numberOr(volume, 0, 100, 0);
		this.drawText(port, "Speaker", x, y, titleStyle);
		this.drawText(port, `volume ${value} %`, x, y + 28);
		this.drawBar(port, value, ACCENT, x, y + 52, 290);
		const { frequency, duration } = objectOr(tone);
		if (typeof frequency === "number") {
			this.drawText(port, `tone ${frequency} Hz for ${numberOr(duration, 0, Infinity, 0)} ms`, x, y + 70);
			for (let i = 0; i < 16; i++) {
				const height = 4 + (i % 4) * 5;
				port.fillColor(GOOD, x + 200 + i * 5, y + 80 - height / 2, 3, height);
			}
		}
	}
	drawLamp(port, { on }, x, y) {
		this.drawText(port, "Lamp", x, y, titleStyle);
		this.drawDisc(port, on === true ? LAMP : FIELD, x + 150, y + 16, 18);
		this.drawText(port, on === true ? "on" : "off", x + 180, y + 6);
	}
	drawBattery(port, { level, charging }, x, y) {
		const value = numberOr(level, 0, 100, 0);
		this.drawText(port, "Battery", x, y, titleStyle);
		this.drawText(port, `${value} %${charging === true ? ", charging" : ""}`, x, y + 26);
		this.drawBar(port, value, GOOD, x + 120, y + 30, 170);
	}
	drawLight(port, { on, brightness, pixels }, x, y) {
		const value = numberOr(brightness, 0, 100, 0);
		this.drawText(port, "LED strip", x, y, titleStyle);
		this.drawText(port, on === true ? `on, brightness ${value} %` : "off", x, y + 28);
		if (!Array.isArray(pixels)) return;
		const count = Math.min(pixels.length, 64);
		const size = Math.min(38, Math.floor(344 / Math.max(1, count)));
		const scale = on === true ? value / 100 : 0;
		for (let i = 0; i < count; i++) {
			const pixel = Array.isArray(pixels[i]) ? pixels[i] : [];
			const left = x + i * (size + 4);
			port.fillColor(FAINT, left, y + 60, size, size);
			port.fillColor(color(pixel[0] * scale, pixel[1] * scale, pixel[2] * scale), left + 2, y + 62, size - 4, size - 4);
		}
	}
	drawServo(port, name, { position, angle, moving }, x, y) {
		const now = numberOr(position, -360, 360, 90);
		const goal = numberOr(angle, -360, 360, now);
		const radius = 46;
		const middle = x + 56;
		const base = y + 100;
		this.drawText(port, `Servo, ${name}`, x, y, titleStyle);
		for (let degrees = 0; degrees <= 180; degrees += 6) this.drawDot(port, FAINT, middle, base, radius, degrees, 2);
		this.drawDot(port, LAMP, middle, base, radius, goal, 6);
		for (let distance = 0; distance < radius - 4; distance++) this.drawDot(port, ACCENT, middle, base, distance, now, 4);
		this.drawText(port, `${Math.round(now)}°${moving === true ? ` to ${Math.round(goal)}°` : ""}`, x + 30, base + 12);
	}
	drawDot(port, fill, x, y, distance, degrees, size) {
		const turn = (degrees * Math.PI) / 180;
		port.fillColor(fill, Math.round(x - distance * Math.cos(turn) - size / 2), Math.round(y - distance * Math.sin(turn) - size / 2), size, size);
	}
	drawDisc(port, fill, x, y, radius) {
		for (let row = -radius; row <= radius; row++) {
			const half = Math.round(Math.sqrt(radius * radius - row * row));
			port.fillColor(fill, x - half, y + row, 2 * half, 1);
		}
	}
}

export default {
	// Any app: the manifest that names this folder is the one that has this board.
	applicationName: ".*",
	title: "Simulated MCP board",
	Workers: {},
	ControlsTemplate: ControlsColumn.template(() => ({
		contents: [ButtonsRow({ label: "Device", buttons: [{ event: "onRestart", label: "Restart" }] })],
	})),
	DeviceTemplates: {
		0: DeviceContainer.template(($) => ({
			Behavior: PanelBehavior,
			width: WIDTH,
			height: HEIGHT,
			contents: [
				// The app draws nothing, yet it runs in a screen: a small one in the black frame of the drawn one.
				DeviceScreen($, { left: 20, width: 8, top: 50, height: 8 }),
				Port($, { Behavior: DrawingBehavior, left: 0, top: 0, width: WIDTH, height: HEIGHT }),
			],
		})),
	},
};
