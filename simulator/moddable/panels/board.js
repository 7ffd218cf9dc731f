// The panel in Moddable's simulator (mcsim): draws the parts of whichever board runs, as its "simulator/panel" module describes and shows
// them, and sends back what a person does to them.
// An exception in a panel ends mcsim without a word, so whatever comes in is checked and every entry is guarded.

import { ButtonsRow, ControlsColumn } from "ControlsPane";
import { DeviceBehavior, DeviceContainer, DeviceScreen } from "DevicePane";

/** Where the window does not say how large it is. */
const WIDTH = 680;
const HEIGHT = 500;
const MARGIN = 20;
const LINE_HEIGHT = 20;
const HEADER_HEIGHT = 44;
/** A board has a few parts; what a mistake sends without end is not kept. */
const MAX_PARTS = 64;
/** More servos than these are told in words. */
const MAX_SERVOS = 12;
const MAX_BUTTONS = 12;
const SERVO_WIDTH = 124;
const SERVO_HEIGHT = 124;
const MIN_SERVO_HEIGHT = 84;
const BUTTON_WIDTH = 104;
/** A column in which nothing stands beside a bar. */
const NARROW = 220;
const MAX_PIXELS = 256;
const MAX_ROW_PIXELS = 16;
const MAX_ITEMS = 256;
/** So wide is a character of the small font at most. */
const CHARACTER_WIDTH = 7;
/** A device that is in this state for longer waits for something. */
const STARTING = "starting";

const INK = "#e8eaed";
const FAINT = "#5f6368";
const GROUND = "#202124";
const FIELD = "#303134";
const ACCENT = "#8ab4f8";
const LAMP = "#fdd663";
const GOOD = "#81c995";
const KEY = "#bdc1c6";

const titleStyle = new Style({ font: "semibold 16px Open Sans", color: INK, horizontal: "left" });
const textStyle = new Style({ font: "14px Open Sans", color: INK, horizontal: "left" });
const smallStyle = new Style({ font: "12px Open Sans", color: INK, horizontal: "left" });
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

/** A text that is not wider than `width`, as far as that is known without measuring. */
function shorten(text, width) {
	const fit = Math.max(1, Math.floor(width / CHARACTER_WIDTH));
	return text.length > fit ? `${text.slice(0, Math.max(1, fit - 3))}...` : text;
}

/** The parts of a color such as "#102030", from 0 to 255. */
function partsOf(hex) {
	const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(String(hex));
	return match ? [1, 2, 3].map((at) => Number.parseInt(match[at], 16)) : [0, 0, 0];
}

class PanelBehavior extends DeviceBehavior {
	onCreate(container, device) {
		super.onCreate(container, device);
		this.parts = {};
	}
	onMessage(container, message) {
		try {
			const { part, state, description } = objectOr(JSON.parse(message));
			if (typeof part !== "string") return;
			if (part === "system") {
				if (objectOr(state).restart === true) this.onRestart();
				return;
			}
			const known = Object.hasOwn(this.parts, part) ? this.parts[part] : undefined;
			if (!known && Object.keys(this.parts).length >= MAX_PARTS) return;
			this.parts[part] = {
				description: objectOr(description ?? objectOr(known).description),
				state: objectOr(state ?? objectOr(known).state),
			};
			container.distribute("onPartsChanged", this.parts);
		} catch {
			// What cannot be read is not shown.
		}
	}
	onInput(container, part, input) {
		this.postMessage(container, JSON.stringify({ part, input }));
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

/** How far an angle is on its way from the smallest to the largest, so that no needle leaves its dial. */
function shareOf(angle, range) {
	const [minimum, maximum] = Array.isArray(range) && range[0] < range[1] ? range : [0, 180];
	return Math.min(1, Math.max(0, (numberOr(angle, -1e6, 1e6, (minimum + maximum) / 2) - minimum) / (maximum - minimum)));
}

/** The part's own name, or one made from what it is. */
function labelOf(name, part) {
	const { label } = part.description;
	if (typeof label === "string" && label) return label.slice(0, 24);
	const digits = /\d+$/.exec(name);
	const kind = digits ? name.slice(0, -digits[0].length) : name;
	return `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}${digits ? ` ${digits[0]}` : ""}`.slice(0, 24);
}

class DrawingBehavior extends Behavior {
	onCreate() {
		this.parts = {};
		/** What can be pressed, as it was drawn last. */
		this.targets = [];
		this.pressed = undefined;
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
	onTouchBegan(port, _id, x, y) {
		const [left, top] = [x - numberOr(port.x, -1e5, 1e5, 0), y - numberOr(port.y, -1e5, 1e5, 0)];
		const target = this.targets.find((at) => left >= at.x && left < at.x + at.width && top >= at.y && top < at.y + at.height);
		if (!target) return;
		this.pressed = target.part;
		const place = target.size
			? {
					x: Math.floor(((left - target.x) / target.width) * target.size.width),
					y: Math.floor(((top - target.y) / target.height) * target.size.height),
				}
			: {};
		port.bubble("onInput", target.part, { pressed: true, ...place });
	}
	onTouchEnded(port) {
		if (this.pressed === undefined) return;
		port.bubble("onInput", this.pressed, { pressed: false });
		this.pressed = undefined;
	}
	onTouchCancelled(port) {
		this.onTouchEnded(port);
	}
	draw(port) {
		const { parts } = this;
		const width = numberOr(port.width, 320, 10_000, WIDTH);
		const height = numberOr(port.height, 200, 10_000, HEIGHT);
		this.targets = [];
		port.fillColor(GROUND, 0, 0, width, height);
		// Each block stands in the column that is less full.
		const columnWidth = Math.floor((width - 3 * MARGIN) / 2);
		const below = this.drawHeader(port, parts, width);
		const columns = [below, below];
		const place = (draw) => {
			const column = columns[1] < columns[0] ? 1 : 0;
			columns[column] += draw(MARGIN + column * (columnWidth + MARGIN), columns[column], columnWidth);
		};
		const { screen, display, speaker, sound, lamp, battery } = parts;
		if (screen || display) place((x, y, room) => this.drawScreen(port, screen, display, x, y, room));
		if (speaker || sound) place((x, y, room) => this.drawSpeaker(port, speaker, objectOr(objectOr(sound).state), x, y, room));
		if (lamp) place((x, y, room) => this.drawLamp(port, lamp, x, y, room));
		if (battery) place((x, y, room) => this.drawBattery(port, battery, x, y, room));
		const lights = namesOf(parts, "light");
		for (const name of lights) place((x, y, room) => this.drawLight(port, name, parts[name], x, y, room));
		const buttons = namesOf(parts, "button").slice(0, MAX_BUTTONS);
		const servos = namesOf(parts, "servo").slice(0, MAX_SERVOS);
		const afterButtons = this.drawButtons(port, buttons, Math.max(...columns), width);
		const y = this.drawServos(port, servos, afterButtons, { width, height });
		const drawn = ["device", "assistant", "screen", "display", "touch", "speaker", "sound", "lamp", "battery", ...lights, ...servos, ...buttons];
		const others = Object.keys(parts).filter((name) => !drawn.includes(name));
		this.drawLines(
			port,
			others.map((name) => `${labelOf(name, parts[name])}: ${words(parts[name].state, 0)}`),
			{ y, width, height },
		);
	}
	drawText(port, text, x, y, style = textStyle) {
		port.drawString(text, style, style === darkTextStyle ? GROUND : INK, x, y);
	}
	drawBar(port, value, fill, x, y, width) {
		port.fillColor(FIELD, x, y, width, 12);
		port.fillColor(fill, x, y, Math.round((width * value) / 100), 12);
	}
	/** What the device does, and what was asked of it last. Gives the height at which it ends. */
	drawHeader(port, parts, width) {
		const { device, assistant } = parts;
		if (!device && !assistant) return MARGIN;
		const { state } = objectOr(objectOr(device).state);
		const connected = state === "idle" || state === "executing" || state === "upgrading";
		this.drawDisc(port, connected ? GOOD : LAMP, MARGIN + 6, 22, 6);
		const waits = state === STARTING ? ": no connection yet; the log says what it waits for" : "";
		const { kind, text } = objectOr(objectOr(assistant).state);
		const last = typeof text === "string" ? `${kind === "call" ? "last call" : words(kind, 0)}: ${text}` : "";
		const line = `${typeof state === "string" ? state : ""}${waits}${last ? `    ${last}` : ""}`;
		this.drawText(port, shorten(line, width - 2 * MARGIN - 20), MARGIN + 20, 12);
		return HEADER_HEIGHT;
	}
	drawScreen(port, screen, display, x, y, room) {
		const { brightness, theme, text } = objectOr(objectOr(screen).state);
		const value = numberOr(brightness, 0, 100, 0);
		const dark = theme === "dark";
		const size = objectOr(objectOr(display).description);
		const [pixelsWide, pixelsHigh] = [numberOr(size.width, 16, 4096, 320), numberOr(size.height, 16, 4096, 240)];
		const scale = Math.min((room - 16) / pixelsWide, 134 / pixelsHigh);
		const [width, height] = [Math.round(pixelsWide * scale), Math.round(pixelsHigh * scale)];
		this.drawText(port, screen ? labelOf("screen", screen) : "Screen", x, y, titleStyle);
		port.fillColor(this.pressed === "touch" ? LAMP : "#000000", x, y + 28, width + 16, height + 16);
		// What the backlight leaves.
		const light = 0.15 + 0.85 * (value / 100);
		const [left, top] = [x + 8, y + 36];
		const dimmed = (red, green, blue) => color(red * light, green * light, blue * light);
		const ground = dark ? [17, 24, 39] : [255, 255, 255];
		port.fillColor(dimmed(...ground), left, top, width, height);
		const style = dark || light < 0.5 ? smallStyle : darkTextStyle;
		const { items } = objectOr(objectOr(display).state);
		if (Array.isArray(items))
			for (const [kind, fill, at, down, first, second] of items.slice(0, MAX_ITEMS).filter(Array.isArray)) {
				const [atX, atY] = [left + numberOr(at, 0, pixelsWide, 0) * scale, top + numberOr(down, 0, pixelsHigh, 0) * scale];
				if (kind === "text") this.drawText(port, shorten(String(second), left + width - atX), Math.round(atX), Math.round(atY), style);
				else if (kind === "rectangle")
					port.fillColor(
						dimmed(...partsOf(fill)),
						Math.round(atX),
						Math.round(atY),
						Math.round(Math.min(numberOr(first, 0, pixelsWide, 0) * scale, left + width - atX)),
						Math.round(Math.min(numberOr(second, 0, pixelsHigh, 0) * scale, top + height - atY)),
					);
			}
		else if (typeof text === "string") {
			// What the owner is to do or to type in, such as a code.
			const fit = Math.max(1, Math.floor((width - 16) / CHARACTER_WIDTH));
			for (let line = 0; line * fit < text.length && line < 6; line++)
				this.drawText(port, text.slice(line * fit, (line + 1) * fit), left + 8, top + 8 + line * 18, style);
		}
		if (this.parts.touch) this.targets.push({ part: "touch", x: left, y: top, width, height, size: { width: pixelsWide, height: pixelsHigh } });
		const words = `${value} %${theme === "dark" || theme === "light" ? `, ${theme}` : ""}`;
		if (width + 110 < room) this.drawText(port, words, x + width + 28, y + 32);
		else this.drawText(port, shorten(words, room - 90), x + 90, y);
		return height + 60;
	}
	drawSpeaker(port, speaker, { frequency }, x, y, room) {
		const value = numberOr(objectOr(objectOr(speaker).state).volume, 0, 100, 0);
		this.drawText(port, speaker ? labelOf("speaker", speaker) : "Speaker", x, y, titleStyle);
		this.drawText(port, `volume ${value} %`, x, y + 26);
		this.drawBar(port, value, ACCENT, x, y + 48, room);
		if (typeof frequency === "number" && frequency > 0) {
			this.drawText(port, `sounds at ${Math.round(frequency)} Hz`, x, y + 66);
			for (let i = 0; i < 16 && x + 180 + i * 5 < x + room; i++) {
				const height = 4 + (i % 4) * 5;
				port.fillColor(GOOD, x + 180 + i * 5, y + 76 - height / 2, 3, height);
			}
		}
		return 100;
	}
	drawLamp(port, part, x, y, room) {
		const on = part.state.on === true;
		const disc = x + Math.min(138, room - 54);
		this.drawText(port, labelOf("lamp", part), x, y, titleStyle);
		this.drawDisc(port, on ? LAMP : FIELD, disc, y + 12, 16);
		this.drawText(port, on ? "on" : "off", disc + 30, y + 3);
		return 46;
	}
	drawBattery(port, part, x, y, room) {
		const value = numberOr(part.state.level, 0, 100, 0);
		this.drawText(port, labelOf("battery", part), x, y, titleStyle);
		this.drawText(port, `${Math.round(value)} %${part.state.charging === true ? ", charging" : ""}`, x, y + 24);
		if (room >= NARROW) this.drawBar(port, value, GOOD, x + 120, y + 28, room - 120);
		else this.drawBar(port, value, GOOD, x, y + 48, room);
		return room >= NARROW ? 60 : 78;
	}
	drawLight(port, name, part, x, y, room) {
		const { on, brightness, pixels } = part.state;
		const value = numberOr(brightness, 0, 100, 0);
		this.drawText(port, labelOf(name, part), x, y, titleStyle);
		const all = Array.isArray(pixels) ? pixels : [];
		const more = all.length > MAX_PIXELS ? `, the first ${MAX_PIXELS} of ${all.length}` : "";
		this.drawText(port, `${on === true ? `on, brightness ${value} %` : "off"}${more}`, x, y + 26);
		const count = Math.min(all.length, MAX_PIXELS);
		const inRow = numberOr(part.description.columns, 1, MAX_PIXELS, rowLength(count));
		const rows = Math.ceil(count / inRow);
		const step = Math.max(6, Math.min(40, Math.floor(room / inRow), Math.floor(180 / Math.max(1, rows))));
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
	/** All buttons in rows below everything else. Gives the height at which they end. */
	drawButtons(port, names, y, width) {
		if (names.length === 0) return y;
		const inRow = Math.max(1, Math.floor((width - 2 * MARGIN) / BUTTON_WIDTH));
		for (const [i, name] of names.entries()) {
			const [x, top] = [MARGIN + (i % inRow) * BUTTON_WIDTH, y + Math.floor(i / inRow) * 66];
			port.fillColor(KEY, x, top, 40, 40);
			this.drawDisc(port, this.parts[name].state.pressed === true ? LAMP : GROUND, x + 20, top + 20, 13);
			this.drawText(port, shorten(labelOf(name, this.parts[name]), BUTTON_WIDTH - 8), x, top + 42);
			this.targets.push({ part: name, x, y: top, width: 40, height: 40 });
		}
		return y + Math.ceil(names.length / inRow) * 66 + 10;
	}
	/** All servos in rows below the buttons. Gives the height at which they end. */
	drawServos(port, names, y, { width, height }) {
		const inRow = Math.max(1, Math.min(names.length, Math.floor((width - 2 * MARGIN) / SERVO_WIDTH)));
		const each = Math.max(SERVO_WIDTH, Math.floor((width - 2 * MARGIN) / Math.max(4, inRow)));
		const rows = Math.ceil(names.length / inRow);
		const down = Math.max(MIN_SERVO_HEIGHT, Math.min(SERVO_HEIGHT, Math.floor((height - y) / Math.max(1, rows))));
		for (const [i, name] of names.entries())
			this.drawServo(port, name, this.parts[name], { x: MARGIN + (i % inRow) * each, y: y + Math.floor(i / inRow) * down, radius: down - 50 });
		return y + rows * down;
	}
	drawServo(port, name, part, { x, y, radius: room }) {
		const { position, angle, moving } = part.state;
		const { range } = part.description;
		const radius = Math.min(46, room);
		const middle = x + radius + 4;
		const base = y + 24 + radius;
		this.drawText(port, labelOf(name, part), x, y, titleStyle);
		for (let share = 0; share <= 1.001; share += 1 / 30) this.drawDot(port, FAINT, middle, base, radius, share, 2);
		if (typeof position !== "number") return this.drawText(port, "-", x, base + 6);
		this.drawDot(port, moving === true ? LAMP : FAINT, middle, base, radius, shareOf(angle ?? position, range), 6);
		for (let distance = 0; distance < radius - 4; distance++) this.drawDot(port, ACCENT, middle, base, distance, shareOf(position, range), 4);
		const [now, goal] = [Math.round(position), Math.round(typeof angle === "number" ? angle : position)];
		this.drawText(port, `${now}°${now === goal ? "" : ` to ${goal}°`}`, x, base + 6);
	}
	/** Other parts in words, two to a row, as far as there is room. */
	drawLines(port, lines, { y, width, height }) {
		const rows = Math.max(0, Math.floor((height - MARGIN / 2 - y) / LINE_HEIGHT));
		const room = rows * 2;
		const shown = lines.length > room ? [...lines.slice(0, Math.max(0, room - 1)), `and ${lines.length - Math.max(0, room - 1)} more`] : lines;
		const column = Math.floor((width - 3 * MARGIN) / 2);
		for (const [i, line] of shown.slice(0, room).entries())
			this.drawText(port, shorten(line, column), MARGIN + (i % 2) * (column + MARGIN), y + Math.floor(i / 2) * LINE_HEIGHT);
	}
	/** @param share of the half circle, from the left */
	drawDot(port, fill, x, y, distance, share, size) {
		const turn = share * Math.PI;
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
			left: 0,
			right: 0,
			top: 0,
			bottom: 0,
			contents: [
				// The app draws nothing, yet it runs in a screen: the smallest there is.
				DeviceScreen($, { left: 0, width: 1, top: 0, height: 1 }),
				Port($, { Behavior: DrawingBehavior, active: true, left: 0, right: 0, top: 0, bottom: 0 }),
			],
		})),
	},
};
