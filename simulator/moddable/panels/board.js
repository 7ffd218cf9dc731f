// The panel in Moddable's simulator (mcsim): draws the parts of whichever board runs, as its "simulator/panel" module shows them.
// An exception in a panel ends mcsim without a word, so whatever comes in is checked and every entry is guarded.

import { ButtonsRow, ControlsColumn } from "ControlsPane";
import { DeviceBehavior, DeviceContainer, DeviceScreen } from "DevicePane";

const WIDTH = 680;
const HEIGHT = 500;
const MARGIN = 20;
const COLUMN_WIDTH = 310;
const LINE_HEIGHT = 20;
/** A board has a few parts; what a mistake sends without end is not kept. */
const MAX_PARTS = 64;
/** More servos than these are told in words. */
const MAX_SERVOS = 12;
const SERVOS_PER_ROW = 6;
const MAX_PIXELS = 256;
const MAX_ROW_PIXELS = 16;
const MAX_LINE_CHARACTERS = 42;

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
			if (!Object.hasOwn(this.parts, part) && Object.keys(this.parts).length >= MAX_PARTS) return;
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

/** The number in a part's name, such as 2 in "servo2"; -1 for another part. */
function numberOf(name, kind) {
	return name === kind ? 0 : name.startsWith(kind) && /^\d+$/.test(name.slice(kind.length)) ? Number(name.slice(kind.length)) : -1;
}

/** The names of the parts of one kind in the order of their numbers. */
function namesOf(parts, kind) {
	return Object.keys(parts)
		.filter((name) => numberOf(name, kind) >= 0)
		.sort((a, b) => numberOf(a, kind) - numberOf(b, kind));
}

/** How many pixels a row has: one row for a strip, a square for as many as a matrix has, rows for what is longer. */
function rowLength(count) {
	if (count <= MAX_ROW_PIXELS) return Math.max(1, count);
	const side = Math.sqrt(count);
	return Number.isInteger(side) ? side : MAX_ROW_PIXELS;
}

/** A state in words. */
function words(value, depth) {
	if (Array.isArray(value))
		return depth > 2
			? "..."
			: value
					.slice(0, 8)
					.map((item) => words(item, depth + 1))
					.join(" ");
	if (typeof value !== "object" || value === null) return String(value);
	if (depth > 2) return "...";
	return Object.keys(value)
		.slice(0, 8)
		.map((key) => `${key} ${words(value[key], depth + 1)}`)
		.join(", ");
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
		// Each block stands in the column that is less full.
		const columns = [MARGIN, MARGIN];
		const place = (draw) => {
			const column = columns[1] < columns[0] ? 1 : 0;
			columns[column] += draw(MARGIN + column * (COLUMN_WIDTH + MARGIN), columns[column]);
		};
		const { screen, speaker, sound, lamp, battery } = parts;
		if (screen) place((x, y) => this.drawScreen(port, screen, x, y));
		if (speaker || sound) place((x, y) => this.drawSpeaker(port, objectOr(speaker), objectOr(sound), x, y));
		if (lamp) place((x, y) => this.drawLamp(port, lamp, x, y));
		if (battery) place((x, y) => this.drawBattery(port, battery, x, y));
		const lights = namesOf(parts, "light");
		for (const name of lights) place((x, y) => this.drawLight(port, name, parts[name], x, y));
		const servos = namesOf(parts, "servo").slice(0, MAX_SERVOS);
		const y = this.drawServos(port, servos, Math.max(...columns));
		const drawn = ["screen", "speaker", "sound", "lamp", "battery", ...lights, ...servos];
		const others = Object.keys(parts).filter((name) => !drawn.includes(name));
		this.drawLines(
			port,
			others.map((name) => `${name}: ${words(parts[name], 0)}`),
			y,
		);
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
		port.fillColor("#000000", x, y + 28, 240, 150);
		// What the backlight leaves of the theme's ground.
		const light = value / 100;
		const ground = (dark ? 48 : 255) * light;
		port.fillColor(color(ground, ground, (dark ? 56 : 250) * light), x + 8, y + 36, 224, 134);
		const style = !dark && light > 0.5 ? darkTextStyle : textStyle;
		this.drawText(port, `brightness ${value} %`, x + 24, y + 50, style);
		if (theme === "dark" || theme === "light") this.drawText(port, `${theme} theme`, x + 24, y + 74, style);
		// What the owner is to do or to type in, such as a code.
		if (typeof text === "string")
			for (let line = 0; line * 34 < text.length && line < 2; line++)
				this.drawText(port, text.slice(line * 34, (line + 1) * 34), x + 24, y + 98 + line * 20, style);
		return 194;
	}
	drawSpeaker(port, { volume, tone }, sound, x, y) {
		const value = numberOr(volume, 0, 100, 0);
		this.drawText(port, "Speaker", x, y, titleStyle);
		this.drawText(port, `volume ${value} %`, x, y + 26);
		this.drawBar(port, value, ACCENT, x, y + 48, COLUMN_WIDTH);
		// A part that shows its tones, or samples that somebody listened to.
		const frequency = objectOr(tone).frequency ?? sound.frequency;
		if (typeof frequency === "number") {
			this.drawText(port, `sounds at ${Math.round(frequency)} Hz`, x, y + 66);
			for (let i = 0; i < 16; i++) {
				const height = 4 + (i % 4) * 5;
				port.fillColor(GOOD, x + 200 + i * 5, y + 76 - height / 2, 3, height);
			}
		}
		return 100;
	}
	drawLamp(port, { on }, x, y) {
		this.drawText(port, "Lamp", x, y, titleStyle);
		this.drawDisc(port, on === true ? LAMP : FIELD, x + 138, y + 12, 16);
		this.drawText(port, on === true ? "on" : "off", x + 168, y + 3);
		return 46;
	}
	drawBattery(port, { level, charging }, x, y) {
		const value = numberOr(level, 0, 100, 0);
		this.drawText(port, "Battery", x, y, titleStyle);
		this.drawText(port, `${Math.round(value)} %${charging === true ? ", charging" : ""}`, x, y + 24);
		this.drawBar(port, value, GOOD, x + 120, y + 28, COLUMN_WIDTH - 120);
		return 60;
	}
	drawLight(port, name, { on, brightness, pixels }, x, y) {
		const value = numberOr(brightness, 0, 100, 0);
		this.drawText(port, name === "light" ? "Light" : `Light ${numberOf(name, "light")}`, x, y, titleStyle);
		const all = Array.isArray(pixels) ? pixels : [];
		const more = all.length > MAX_PIXELS ? `, the first ${MAX_PIXELS} of ${all.length}` : "";
		this.drawText(port, `${on === true ? `on, brightness ${value} %` : "off"}${more}`, x, y + 26);
		const count = Math.min(all.length, MAX_PIXELS);
		const inRow = rowLength(count);
		const rows = Math.ceil(count / inRow);
		const step = Math.max(6, Math.min(40, Math.floor(COLUMN_WIDTH / inRow), Math.floor(180 / Math.max(1, rows))));
		// The eye makes more of a little light than a screen would show of it.
		const scale = on === true ? Math.sqrt(value / 100) : 0;
		for (let i = 0; i < count; i++) {
			const pixel = Array.isArray(all[i]) ? all[i] : [];
			const left = x + (i % inRow) * step;
			const top = y + 54 + Math.floor(i / inRow) * step;
			port.fillColor(FAINT, left, top, step - 2, step - 2);
			port.fillColor(color(pixel[0] * scale, pixel[1] * scale, pixel[2] * scale), left + 1, top + 1, step - 4, step - 4);
		}
		return 70 + rows * step;
	}
	/** All servos in rows below everything else. Gives the height at which they end. */
	drawServos(port, names, y) {
		const inRow = Math.min(SERVOS_PER_ROW, Math.max(4, names.length));
		const width = Math.floor((WIDTH - 2 * MARGIN) / inRow);
		for (const [i, name] of names.entries())
			this.drawServo(port, name, this.parts[name], MARGIN + (i % inRow) * width, y + Math.floor(i / inRow) * 134, width);
		return y + Math.ceil(names.length / inRow) * 134;
	}
	drawServo(port, name, { position, angle, moving, pin, id }, x, y, width) {
		const now = numberOr(position, -360, 360, 90);
		const goal = numberOr(angle, -360, 360, now);
		const radius = Math.min(46, Math.floor(width / 2) - 10);
		const middle = x + radius + 4;
		const base = y + 28 + radius;
		this.drawText(port, `Servo ${numberOf(name, "servo")}`, x, y, titleStyle);
		for (let degrees = 0; degrees <= 180; degrees += 6) this.drawDot(port, FAINT, middle, base, radius, degrees, 2);
		this.drawDot(port, moving === true ? LAMP : FAINT, middle, base, radius, goal, 6);
		for (let distance = 0; distance < radius - 4; distance++) this.drawDot(port, ACCENT, middle, base, distance, now, 4);
		const where = typeof pin === "number" ? `, pin ${pin}` : typeof id === "number" ? `, id ${id}` : "";
		const way = Math.round(goal) === Math.round(now) ? "" : ` to ${Math.round(goal)}°`;
		this.drawText(port, `${Math.round(now)}°${way}${where}`, x, base + 10);
	}
	/** Other parts in words, two to a row, as far as there is room. */
	drawLines(port, lines, y) {
		const rows = Math.max(0, Math.floor((HEIGHT - MARGIN / 2 - y) / LINE_HEIGHT));
		const room = rows * 2;
		const shown = lines.length > room ? [...lines.slice(0, Math.max(0, room - 1)), `and ${lines.length - Math.max(0, room - 1)} more`] : lines;
		for (const [i, line] of shown.slice(0, room).entries()) {
			const text = line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}...` : line;
			this.drawText(port, text, MARGIN + (i % 2) * (COLUMN_WIDTH + MARGIN), y + Math.floor(i / 2) * LINE_HEIGHT);
		}
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
	// Any app: whoever hands this folder to the simulator means this panel.
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
				// The app draws nothing, yet it runs in a screen: the smallest there is.
				DeviceScreen($, { left: 0, width: 1, top: 0, height: 1 }),
				Port($, { Behavior: DrawingBehavior, left: 0, top: 0, width: WIDTH, height: HEIGHT }),
			],
		})),
	},
};
