// The board as it is drawn: each part by its kind, in the state that it is in, and what a person can do to it.

import type { ComponentChildren, CSSProperties, TargetedPointerEvent } from "preact";
import { useState } from "preact/hooks";
import type { DisplayItem, LightState, ServoState } from "../../simulator/parts.js";
import { device, doTo, type Part, parts } from "./state.js";
import { useStore } from "./store.js";
import { language, type Texts, textsOf } from "./texts.js";

/** A part with everything that drawing it needs. What comes from the firmware is looked at before it is used. */
interface Drawn {
	readonly name: string;
	readonly kind: string;
	readonly label: string;
	readonly state: Readonly<Record<string, unknown>>;
	readonly description: Part["description"];
}

const number = (value: unknown, fallback = 0) => (typeof value === "number" && Number.isFinite(value) ? value : fallback);
const clamp = (value: number, minimum: number, maximum: number) => Math.min(maximum, Math.max(minimum, value));
const byNumber = (a: Drawn, b: Drawn) => number(Number(a.name.replace(/\D/g, ""))) - number(Number(b.name.replace(/\D/g, "")));

/** A custom property of CSS, which the types of the style attribute do not know. */
const variables = (values: Record<string, string | number>) => values as CSSProperties;

function Caption({ label, value, children }: { label: string; value?: string; children?: ComponentChildren }) {
	return (
		<figcaption>
			<span>{label}</span>
			{value !== undefined && <b>{value}</b>}
			{children}
		</figcaption>
	);
}

const MAX_PIXELS = 512;
const LONG_ROW = 16;

function Light({ part, t }: { part: Drawn; t: Texts }) {
	const { on, brightness, pixels } = part.state as Partial<LightState>;
	const all = (Array.isArray(pixels) ? pixels : []).slice(0, MAX_PIXELS);
	const columns = clamp(number(part.description.columns, Math.min(all.length, LONG_ROW)), 1, 64);
	const level = clamp(number(brightness, 100), 0, 100) / 100;
	return (
		<figure class={`part light ${all.length > columns ? "matrix" : ""}`} data-part={part.name}>
			<div
				class="pixels"
				style={variables({ "--columns": columns })}
				role="img"
				aria-label={`${part.label}, ${on ? `${t.yes}, ${brightness} %` : t.no}`}
			>
				{all.map((pixel, index) => {
					const [red, green, blue] = [0, 1, 2].map((at) => clamp(number(Array.isArray(pixel) ? pixel[at] : 0), 0, 255)) as [number, number, number];
					const most = Math.max(red, green, blue);
					if (!on || most === 0) return <i key={index} />;
					// The hue at full strength, and how much of it there is as a glow: a screen cannot be as bright as a light.
					const hue = [red, green, blue].map((value) => Math.round((value * 255) / most)).join(" ");
					const glow = Math.max(0.25, (most / 255) * Math.sqrt(level));
					return <i key={index} class="lit" data-color={`${red},${green},${blue}`} style={variables({ "--hue": `rgb(${hue})`, "--glow": glow })} />;
				})}
			</div>
			<Caption label={part.label} value={on ? `${Math.round(level * 100)} %` : t.no} />
		</figure>
	);
}

const RADIUS = 50;

/** A place on the dial; the smallest angle is on the left. */
function onDial(share: number, distance: number): [number, number] {
	const turn = Math.PI * (1 - clamp(share, 0, 1));
	return [60 + distance * Math.cos(turn), 62 - distance * Math.sin(turn)];
}

function Servo({ part, t }: { part: Drawn; t: Texts }) {
	const { angle, position, moving } = part.state as Partial<ServoState>;
	const [minimum, maximum] = Array.isArray(part.description.range) ? (part.description.range as [number, number]) : [0, 180];
	const share = (degrees: number) => (degrees - minimum) / (maximum - minimum);
	const stands = number(position, (minimum + maximum) / 2);
	const sent = number(angle, stands);
	const [x, y] = onDial(share(stands), 42);
	const [sentX, sentY] = onDial(share(sent), RADIUS);
	const [fromX, fromY] = onDial(share(Math.min(stands, sent)), RADIUS);
	const [toX, toY] = onDial(share(Math.max(stands, sent)), RADIUS);
	const isAway = Math.abs(sent - stands) >= 1;
	const known = position !== undefined;
	const value = !known ? "–" : isAway ? `${Math.round(stands)}° → ${Math.round(sent)}°` : `${Math.round(stands)}°`;
	return (
		<figure
			class={`part servo ${moving ? "moving" : ""} ${known ? "" : "unknown"}`}
			data-part={part.name}
			data-position={known ? stands : undefined}
			data-angle={known ? sent : undefined}
		>
			<svg
				viewBox="0 0 120 84"
				role="img"
				aria-label={`${part.label}: ${Math.round(stands)}°${isAway ? `, ${t.commanded} ${Math.round(sent)}°` : ""}`}
			>
				<path class="scale" d="M10 62a50 50 0 0 1 100 0" />
				{[0, 1, 2, 3, 4, 5, 6].map((tick) => {
					const [x1, y1] = onDial(tick / 6, RADIUS);
					const [x2, y2] = onDial(tick / 6, tick % 3 ? 54 : 57);
					return <line key={tick} class="tick" x1={x1} y1={y1} x2={x2} y2={y2} />;
				})}
				{isAway && <path class="way" d={`M${fromX} ${fromY}A${RADIUS} ${RADIUS} 0 0 1 ${toX} ${toY}`} />}
				{known && <circle class="sent" cx={sentX} cy={sentY} r="3.4" />}
				<rect class="case" x="45" y="60" width="30" height="20" rx="3" />
				<line class="arm" x1="60" y1="62" x2={x} y2={y} />
				<circle class="tip" cx={x} cy={y} r="2" />
				<circle class="hub" cx="60" cy="62" r="9" />
				<circle class="screw" cx="60" cy="62" r="2.4" />
			</svg>
			<Caption label={part.label} value={value} />
		</figure>
	);
}

const HOLES = [0, 1, 2, 3].flatMap((ring) =>
	Array.from({ length: ring ? ring * 7 : 1 }, (_, at) => {
		const turn = (2 * Math.PI * at) / (ring * 7 || 1);
		return [42 + ring * 8 * Math.cos(turn), 42 + ring * 8 * Math.sin(turn)] as const;
	}),
);

function Speaker({ part, sound, t }: { part: Drawn; sound: Drawn | undefined; t: Texts }) {
	const volume = clamp(number(part.state.volume), 0, 100);
	const frequency = Math.round(number(sound?.state.frequency));
	const arc = { r: 38, cx: 42, cy: 42, pathLength: 100, transform: "rotate(135 42 42)" };
	return (
		<figure class={`part speaker ${frequency > 0 ? "sounds" : ""}`} data-part={part.name} data-volume={volume} data-frequency={frequency}>
			<svg viewBox="0 0 84 84" role="img" aria-label={`${part.label}, ${t.volume} ${volume} %${frequency > 0 ? `, ${frequency} Hz` : ""}`}>
				<circle class="cone" cx="42" cy="42" r="33" />
				<circle class="track" {...arc} stroke-dasharray="75 100" />
				<circle class="level" {...arc} stroke-dasharray={`${volume * 0.75} 100`} />
				<g class="holes">
					{HOLES.map(([cx, cy]) => (
						<circle key={`${cx} ${cy}`} cx={cx} cy={cy} r="1.9" />
					))}
				</g>
			</svg>
			<Caption label={part.label} value={`${volume} %${frequency > 0 ? ` · ${frequency} Hz` : ""}`} />
		</figure>
	);
}

const COLOR = /^#[0-9a-f]{6}$/i;

/** What was drawn on the display, or where nothing tells of that, the screen's text. */
function Screen({ part, display, touch, t }: { part: Drawn | undefined; display: Drawn | undefined; touch: Drawn | undefined; t: Texts }) {
	const { brightness, theme, text } = part?.state ?? {};
	const width = clamp(number(display?.description.width, 320), 16, 2048);
	const height = clamp(number(display?.description.height, 240), 16, 2048);
	const level = clamp(number(brightness, 100), 0, 100);
	const items = (Array.isArray(display?.state.items) ? display.state.items : []) as readonly DisplayItem[];
	const dark = theme === "dark";
	const at = (event: TargetedPointerEvent<SVGSVGElement>) => {
		const box = event.currentTarget.getBoundingClientRect();
		return {
			x: clamp(Math.round(((event.clientX - box.left) / box.width) * width), 0, width - 1),
			y: clamp(Math.round(((event.clientY - box.top) / box.height) * height), 0, height - 1),
		};
	};
	const middle = { x: width >> 1, y: height >> 1 };
	const name = touch ? `${part?.label ?? t.parts.screen}: ${t.touch}` : (part?.label ?? t.parts.screen);
	return (
		<figure class={`part screen ${touch?.state.pressed ? "touched" : ""}`} data-part="screen" data-brightness={level}>
			<svg
				class="glass"
				viewBox={`0 0 ${width} ${height}`}
				role={touch ? "button" : "img"}
				tabIndex={touch ? 0 : undefined}
				aria-label={name}
				style={variables({ "--level": 0.2 + 0.8 * (level / 100) })}
				onPointerDown={(event) => {
					event.currentTarget.setPointerCapture(event.pointerId);
					if (touch) press(touch.name, at(event));
				}}
				onPointerUp={() => touch && release(touch.name)}
				onPointerCancel={() => touch && release(touch.name)}
				onKeyDown={(event) => touch && isPressKey(event) && press(touch.name, middle)}
				onKeyUp={() => touch && release(touch.name)}
			>
				<rect width={width} height={height} fill={dark ? "#111827" : "#ffffff"} />
				{items.length > 0 ? (
					items.map((item, index) => <Item key={index} item={item} />)
				) : (
					<foreignObject x="8" y="8" width={width - 16} height={height - 16}>
						<p class={dark ? "dark" : ""}>{typeof text === "string" ? text : ""}</p>
					</foreignObject>
				)}
			</svg>
			<Caption label={part?.label ?? t.parts.screen} value={`${level} % · ${dark ? t.dark : t.light}`} />
		</figure>
	);
}

function Item({ item }: { item: DisplayItem }) {
	const [kind, color, x, y, ...rest] = item;
	if (typeof color !== "string" || !COLOR.test(color)) return null;
	if (kind === "rectangle") return <rect x={number(x)} y={number(y)} width={number(rest[0])} height={number(rest[1])} fill={color} />;
	const [size, text] = rest as [unknown, unknown];
	if (typeof text !== "string") return null;
	const length = [...text].length * 14;
	return (
		<text
			x={number(x)}
			y={number(y) + number(size, 16) * 0.76}
			fill={color}
			font-size={number(size, 16) * 0.68}
			textLength={length}
			lengthAdjust="spacingAndGlyphs"
		>
			{text}
		</text>
	);
}

function Lamp({ part, t }: { part: Drawn; t: Texts }) {
	const on = part.state.on === true;
	return (
		<figure class={`part lamp ${on ? "on" : ""}`} data-part={part.name}>
			<svg viewBox="0 0 60 84" role="img" aria-label={`${part.label}, ${on ? t.yes : t.no}`}>
				<path class="bulb" d="M30 8a21 21 0 0 0-12 38c3 2.300 4 5 4 9h16c0-4 1-6.700 4-9A21 21 0 0 0 30 8z" />
				<path class="base" d="M23 60h14M23 66h14M26 72h8" />
			</svg>
			<Caption label={part.label} value={on ? t.yes : t.no} />
		</figure>
	);
}

const press = (part: string, place: object = {}) => doTo(part, { pressed: true, ...place });
const release = (part: string) => doTo(part, { pressed: false });
const isPressKey = (event: KeyboardEvent) => !event.repeat && (event.key === " " || event.key === "Enter");

function Button({ part, t, isReal }: { part: Drawn; t: Texts; isReal: boolean }) {
	const pressed = part.state.pressed === true;
	return (
		<figure class="part key" data-part={part.name}>
			<button
				type="button"
				disabled={isReal}
				aria-label={`${t.press}: ${part.label}`}
				aria-pressed={pressed}
				onPointerDown={(event) => {
					event.currentTarget.setPointerCapture(event.pointerId);
					press(part.name);
				}}
				onPointerUp={() => release(part.name)}
				onPointerCancel={() => release(part.name)}
				onKeyDown={(event) => isPressKey(event) && press(part.name)}
				onKeyUp={() => release(part.name)}
				onBlur={() => pressed && release(part.name)}
			>
				<i />
			</button>
			<Caption label={part.label} />
		</figure>
	);
}

function Battery({ part, t, isReal }: { part: Drawn; t: Texts; isReal: boolean }) {
	const [open, setOpen] = useState(false);
	const level = clamp(number(part.state.level), 0, 100);
	const charging = part.state.charging === true;
	return (
		<div class="battery" data-part={part.name}>
			<button
				type="button"
				disabled={isReal}
				aria-expanded={open}
				aria-label={`${part.label} ${level} %${charging ? `, ${t.charging}` : ""}`}
				onClick={() => setOpen(!open)}
			>
				<svg viewBox="0 0 28 14" aria-hidden="true">
					<rect x="1" y="1" width="22" height="12" rx="3" fill="none" stroke="currentColor" stroke-width="1.5" />
					<rect x="3.5" y="3.5" width={0.17 * level} height="7" rx="1" fill="currentColor" />
					<path d="M25.5 5v4" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
				</svg>
				{level} %{charging && ` ${t.charging}`}
			</button>
			{open && (
				<div class="change">
					<input
						type="range"
						min="0"
						max="100"
						value={level}
						aria-label={part.label}
						onInput={(event) => doTo(part.name, { level: event.currentTarget.valueAsNumber })}
					/>
					<label>
						<input type="checkbox" checked={charging} onChange={(event) => doTo(part.name, { charging: event.currentTarget.checked })} /> {t.charging}
					</label>
				</div>
			)}
		</div>
	);
}

const PICTURE = /^data:image\/(jpeg|png|webp);base64,[A-Za-z0-9+/=]+$/;

function Camera({ part, t }: { part: Drawn; t: Texts }) {
	const { image, photos } = part.state;
	return (
		<figure class="part camera" data-part={part.name}>
			{typeof image === "string" && PICTURE.test(image) ? <img src={image} alt={part.label} /> : <div class="lens" />}
			<Caption label={part.label} {...(typeof photos === "number" ? { value: `${photos} ${t.photos}` } : {})} />
		</figure>
	);
}

/** A state in words; it may be anything. */
function inWords(value: unknown, depth = 0): string {
	if (typeof value !== "object" || value === null) return String(value);
	if (depth > 2) return "…";
	const items = Array.isArray(value) ? value.slice(0, 12).map((item) => inWords(item, depth + 1)) : undefined;
	if (items) return `[${items.join(" ")}]`;
	return Object.entries(value)
		.slice(0, 12)
		.map(([key, member]) => `${key} ${inWords(member, depth + 1)}`)
		.join(", ");
}

export function Board() {
	const chosen = useStore(language);
	const t = textsOf(chosen);
	const shown = useStore(parts);
	const known = useStore(device);
	const all = Object.entries(shown).map(([name, { description, state }]): Drawn => {
		const kind = Object.hasOwn(t.parts, description.kind) ? t.parts[description.kind as keyof Texts["parts"]] : undefined;
		const pin = description.pin === undefined ? name.replace(/^\D+/, "") : `GPIO ${description.pin}`;
		const fallback = kind ? `${kind}${["servo", "button"].includes(description.kind) ? ` ${pin}` : ""}`.trim() : name;
		const label = (chosen === "zh" ? description.zh : undefined) ?? description.label ?? fallback;
		return { name, kind: description.kind, label, description, state: typeof state === "object" && state !== null ? (state as Drawn["state"]) : {} };
	});
	const of = (kind: string) => all.filter((part) => part.kind === kind).sort(byNumber);
	const one = (kind: string) => all.find((part) => part.kind === kind);
	const [screen, display, touch, battery, sound] = [one("screen"), one("display"), one("touch"), one("battery"), one("sound")];
	const isReal = known?.simulation === undefined;
	const deviceState = typeof one("device")?.state.state === "string" ? String(one("device")?.state.state) : "";
	const servos = of("servo");
	const speaker = one("speaker") ?? (sound && { ...sound, name: "speaker", label: t.parts.speaker, state: {} });
	const drawn = ["light", "servo", "speaker", "sound", "screen", "display", "touch", "battery", "lamp", "button", "camera", "device"];
	const others = all.filter(({ kind }) => !drawn.includes(kind));
	const isShown = screen || display || speaker || of("lamp").length + of("button").length + of("camera").length > 0;
	return (
		<section class="stage" aria-label={t.board}>
			<div class="plate">
				<header>
					<b>{known?.simulation?.board ?? known?.name ?? ""}</b>
					<span>{known?.simulation?.engine}</span>
					<span>{deviceState}</span>
					{battery && <Battery part={battery} t={t} isReal={isReal} />}
				</header>
				{all.length === 0 && <p class="empty">{!known ? t.noDevice : known.simulation ? t.starting : t.real}</p>}
				{of("light").map((part) => (
					<Light key={part.name} part={part} t={t} />
				))}
				{isShown && (
					<div class="row">
						{(screen || display) && <Screen part={screen} display={display} touch={touch} t={t} />}
						{of("camera").map((part) => (
							<Camera key={part.name} part={part} t={t} />
						))}
						{speaker && <Speaker part={speaker} sound={sound} t={t} />}
						{of("lamp").map((part) => (
							<Lamp key={part.name} part={part} t={t} />
						))}
						{of("button").map((part) => (
							<Button key={part.name} part={part} t={t} isReal={isReal} />
						))}
					</div>
				)}
				{servos.length > 0 && (
					<div
						class={`servos ${servos.length > 4 && servos.length % 2 === 0 ? "pairs" : ""}`}
						style={variables({ "--count": servos.length <= 4 ? servos.length : Math.ceil(servos.length / 2) })}
					>
						{servos.map((part) => (
							<Servo key={part.name} part={part} t={t} />
						))}
					</div>
				)}
				{others.length > 0 && (
					<details class="electronics">
						<summary>{t.electronics}</summary>
						<dl>
							{others.map((part) => (
								<div key={part.name} data-part={part.name}>
									<dt>{part.label}</dt>
									<dd>{inWords(part.state)}</dd>
								</div>
							))}
						</dl>
					</details>
				)}
			</div>
		</section>
	);
}
