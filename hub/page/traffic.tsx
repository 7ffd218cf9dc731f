// Everything that goes between hub and device, and what the device itself says: to filter, to copy, to keep.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { device, doTo, type Entry, entries } from "./state.js";
import { useStore } from "./store.js";
import { language, type Texts, textsOf } from "./texts.js";

const KINDS = ["all", "messages", "events", "log"] as const;
type Kind = (typeof KINDS)[number];

interface Line {
	readonly entry: Entry;
	readonly title: string;
	readonly rest: string;
	readonly event: boolean;
	readonly bad: boolean;
}

type Json = Readonly<Record<string, unknown>>;
const objectOr = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
const lines = new WeakMap<Entry, Line>();

/** What an entry says in one line; it may be any text. */
function lineOf(entry: Entry): Line {
	let line = lines.get(entry);
	if (!line) {
		line = read(entry);
		lines.set(entry, line);
	}
	return line;
}

function read(entry: Entry): Line {
	const plain = (title: string, rest: string, more: Partial<Line> = {}): Line => ({ entry, title, rest, event: false, bad: false, ...more });
	if (entry.kind === "log" || entry.kind === "note") return plain("", entry.text, { event: entry.kind === "note" });
	if (entry.kind === "speech") {
		const { kind, text } = speechOf(entry);
		return plain(kind, text, { event: true });
	}
	let message: Json;
	try {
		message = objectOr(JSON.parse(entry.text));
	} catch {
		return plain("", entry.text, { bad: true });
	}
	const { type } = message;
	if (type !== undefined && type !== "mcp") {
		const { type: _, session_id: __, ...rest } = message;
		return plain(String(type), JSON.stringify(rest), { event: type !== "hello" });
	}
	const payload = type === "mcp" ? objectOr(message.payload) : message;
	const { id, method, params, result, error } = payload;
	const number = id === undefined ? "" : `#${String(id)} `;
	if (typeof method === "string") {
		const { name, arguments: args } = objectOr(params);
		if (method === "tools/call") return plain(`${number}${String(name)}`, JSON.stringify(args ?? {}));
		return plain(`${number}${method}`, params === undefined ? "" : JSON.stringify(params), { event: id === undefined && entry.kind === "in" });
	}
	if (error !== undefined) return plain(`${number}error`, `${String(objectOr(error).code)} ${String(objectOr(error).message)}`, { bad: true });
	const { content, isError } = objectOr(result);
	const first = Array.isArray(content) ? objectOr(content[0]) : undefined;
	const text = first ? (typeof first.text === "string" ? first.text : String(first.type)) : Object.keys(objectOr(result)).join(" ");
	return plain(`${number}result`, text, { bad: isError === true });
}

function isOf(kind: Kind, { entry, event }: Line): boolean {
	if (kind === "messages") return entry.kind === "in" || entry.kind === "out";
	if (kind === "events") return event;
	return kind === "all" || entry.kind === "log";
}

const ARROWS = { in: "←", out: "→", log: " ", note: "•", speech: "”" } as const;

function timeOf(at: number): string {
	const date = new Date(at);
	const two = (value: number) => String(value).padStart(2, "0");
	return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

const asText = ({ entry }: Line) => `${new Date(entry.at).toISOString()} ${ARROWS[entry.kind]} ${entry.text}`;

/** Closer to the end than this, in pixels, one reads what is new. */
const NEAR_END = 24;

export function Traffic() {
	const t = textsOf(useStore(language));
	const all = useStore(entries);
	const known = useStore(device);
	const [kind, setKind] = useState<Kind>("all");
	const [wanted, setWanted] = useState("");
	const [open, setOpen] = useState<number>();
	const [copied, setCopied] = useState(false);
	const [follows, setFollows] = useState(true);
	const list = useRef<HTMLOListElement>(null);
	const needle = wanted.toLowerCase();
	const shown = all.map(lineOf).filter((line) => isOf(kind, line) && (needle === "" || line.entry.text.toLowerCase().includes(needle)));
	useLayoutEffect(() => {
		if (follows && list.current) list.current.scrollTop = list.current.scrollHeight;
	});
	const copy = async () => {
		await copyText(shown.map(asText).join("\n"));
		setCopied(true);
		setTimeout(() => setCopied(false), 1500);
	};
	const download = () => {
		const link = document.createElement("a");
		link.href = URL.createObjectURL(new Blob([`${shown.map(asText).join("\n")}\n`], { type: "text/plain" }));
		link.download = `${(known?.name ?? "device").replace(/\W+/g, "-")}-${new Date().toISOString().slice(0, 19).replace(/\D/g, "")}.log`;
		link.click();
		URL.revokeObjectURL(link.href);
	};
	return (
		<section class="traffic" aria-label={t.traffic}>
			<header>
				<h2>{t.traffic}</h2>
				<div class="tabs">
					{KINDS.map((item) => (
						<button key={item} type="button" aria-pressed={kind === item} onClick={() => setKind(item)}>
							{t[item]}
						</button>
					))}
				</div>
				<input type="search" placeholder={t.filter} aria-label={t.filter} value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
				<button type="button" class="plain" onClick={copy}>
					{copied ? t.copied : t.copy}
				</button>
				<button type="button" class="plain" onClick={download}>
					{t.download}
				</button>
			</header>
			<ol
				ref={list}
				onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => setFollows(scrollHeight - scrollTop - clientHeight < NEAR_END)}
			>
				{shown.length === 0 && <li class="quiet">{t.nothing}</li>}
				{shown.map((line) => (
					<Row key={line.entry.number} line={line} open={open === line.entry.number} onToggle={setOpen} />
				))}
			</ol>
			{!follows && (
				<button
					type="button"
					class="newest"
					onClick={() => {
						setFollows(true);
						if (list.current) list.current.scrollTop = list.current.scrollHeight;
					}}
				>
					{t.newest} ↓
				</button>
			)}
		</section>
	);
}

function Row({ line: { entry, title, rest, bad }, open, onToggle }: { line: Line; open: boolean; onToggle: (number: number | undefined) => void }) {
	return (
		<li class={`${entry.kind} ${bad ? "bad" : ""}`}>
			<button type="button" aria-expanded={open} onClick={() => onToggle(open ? undefined : entry.number)}>
				<time>{timeOf(entry.at)}</time>
				<span class="arrow" aria-hidden="true">
					{ARROWS[entry.kind]}
				</span>
				{title && <b>{title}</b>}
				<span class="rest">{rest}</span>
			</button>
			{open && <pre>{indented(entry.text)}</pre>}
		</li>
	);
}

function indented(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), undefined, 2);
	} catch {
		return text;
	}
}

/** Without TLS only the browser's own computer has a clipboard for scripts. */
async function copyText(text: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		const area = document.createElement("textarea");
		area.value = text;
		document.body.append(area);
		area.select();
		document.execCommand("copy");
		area.remove();
	}
}

/** What was said, and by whom: "user", "assistant", or what the assistant did besides. */
function speechOf(entry: Entry): { kind: string; text: string } {
	const { kind, text } = objectOr(JSON.parse(entry.text));
	return { kind: String(kind), text: String(text) };
}

/** As much of what was said stays in sight. */
const MAX_SAID = 4;

/** A sentence for the assistant, and what it answers. */
export function Talk({ t }: { t: Texts }) {
	const known = useStore(device);
	const [text, setText] = useState("");
	const said = useStore(entries).filter(({ kind }) => kind === "speech");
	if (!known?.simulation) return null;
	return (
		<section class="talk" aria-label={t.say}>
			{said.length > 0 && (
				<ol aria-live="polite">
					{said.slice(-MAX_SAID).map((entry) => {
						const { kind, text } = speechOf(entry);
						return (
							<li key={entry.number} class={kind === "user" ? "user" : ""}>
								<b>{kind === "user" ? t.you : kind === "assistant" ? t.assistant : t.feels}</b> {text}
							</li>
						);
					})}
				</ol>
			)}
			<form
				onSubmit={(event) => {
					event.preventDefault();
					if (text.trim() === "") return;
					doTo("assistant", { say: text.trim() });
					setText("");
				}}
			>
				<input
					type="text"
					autocomplete="off"
					placeholder={t.say}
					aria-label={t.say}
					maxLength={500}
					value={text}
					onInput={(event) => setText(event.currentTarget.value)}
				/>
				<button type="submit" class="plain" disabled={!known.connected}>
					{t.send}
				</button>
			</form>
		</section>
	);
}

/** The newest thing that happened at the device itself, such as a press. */
export function LastEvent({ t }: { t: Texts }) {
	const last = useStore(entries).findLast((entry) => entry.kind === "in" && lineOf(entry).event);
	if (!last) return null;
	const { title, rest } = lineOf(last);
	return (
		<p class="last" role="status" aria-label={t.last}>
			<time>{timeOf(last.at)}</time> <b>{title.replace("notifications/", "")}</b> <span>{rest}</span>
		</p>
	);
}
