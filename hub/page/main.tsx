// The page: the board, its tools, and what goes between hub and device.

import "./page.css";
import type { Tool } from "@modelcontextprotocol/client";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Board } from "./board.js";
import { CallForm } from "./form.js";
import { choose, type DeviceSummary, device, devices, entries, hint, link, run, type Source, unlock } from "./state.js";
import { useStore } from "./store.js";
import { language, switchLanguage, type Texts, textsOf } from "./texts.js";
import { LastEvent, Talk, Traffic } from "./traffic.js";

/** With more devices than this the list gets a field to find one. */
const MANY_DEVICES = 12;

function App() {
	const chosen = useStore(language);
	const t = textsOf(chosen);
	const known = useStore(device);
	const state = useStore(link);
	useEffect(() => {
		document.documentElement.lang = chosen;
	}, [chosen]);
	useEffect(() => {
		document.title = known?.name ?? known?.simulation?.board ?? "moddable-mcp";
	}, [known]);
	return (
		<>
			<Top t={t} />
			{state === "locked" ? (
				<Locked t={t} />
			) : (
				<main>
					<div class="left">
						<Board />
						<div class="said">
							<LastEvent t={t} />
							<Talk t={t} />
						</div>
						{known ? <Traffic /> : <Hint t={t} />}
					</div>
					<Tools t={t} key={known?.id} />
				</main>
			)}
		</>
	);
}

function Top({ t }: { t: Texts }) {
	const all = useStore(devices);
	const known = useStore(device);
	const state = useStore(link);
	const away = state === "open" && known !== undefined && !known.connected;
	const status = state === "lost" ? "lost" : state === "open" && known ? (known.connected ? "connected" : "away") : "opening";
	return (
		<>
			<header class="top">
				<span class="brand">
					moddable<b>mcp</b>
				</span>
				<DeviceList all={all} current={known?.id} t={t} />
				<span class={`status ${status}`} role="status">
					<i />
					<span>{t[status]}</span>
				</span>
				<SetupLink t={t} />
				<button type="button" class="plain" lang={t.language === "中文" ? "zh" : "en"} onClick={switchLanguage}>
					{t.language}
				</button>
				<button type="button" class="plain icon" aria-label={t.theme} title={t.theme} onClick={switchTheme}>
					<svg viewBox="0 0 20 20" aria-hidden="true">
						<circle cx="10" cy="10" r="7.2" fill="none" stroke="currentColor" stroke-width="1.6" />
						<path d="M10 2.8a7.2 7.2 0 0 1 0 14.4z" fill="currentColor" />
					</svg>
				</button>
			</header>
			{state === "lost" && (
				<p class="banner" role="alert">
					{t.lostLong}
				</p>
			)}
			{away && (
				<p class="banner" role="alert">
					{t.awayLong}
					{known.reason ? `: ${known.reason}` : ""}
				</p>
			)}
		</>
	);
}

function DeviceList({ all, current, t }: { all: readonly DeviceSummary[]; current: string | undefined; t: Texts }) {
	const [wanted, setWanted] = useState("");
	if (all.length === 0) return null;
	const fits = (summary: DeviceSummary) => `${summary.label} ${summary.id}`.toLowerCase().includes(wanted.toLowerCase());
	const shown = all.filter((summary) => summary.id === current || fits(summary));
	const count = new Map<string, number>();
	for (const { label } of all) count.set(label, (count.get(label) ?? 0) + 1);
	return (
		<div class="pick">
			{all.length > MANY_DEVICES && (
				<input
					type="search"
					placeholder={`${all.length} ${t.devices}`}
					aria-label={t.findDevice}
					value={wanted}
					onInput={(event) => setWanted(event.currentTarget.value)}
					onChange={() => {
						const [only] = all.filter(fits);
						if (wanted && only) choose(only.id);
					}}
				/>
			)}
			<select aria-label={t.device} value={current ?? ""} onChange={(event) => choose(event.currentTarget.value)}>
				{current === undefined && <option value="" />}
				{shown.map(({ id, label, connected, reason }) => (
					<option key={id} value={id}>
						{`${label}${(count.get(label) ?? 0) > 1 ? ` · ${id}` : ""}${connected || reason === undefined ? "" : ` (${t.away})`}`}
					</option>
				))}
			</select>
		</div>
	);
}

const SETUP = /^setup: .*?(http:\/\/127\.0\.0\.1(?::\d{1,5})?\/)/;

/** Where the device's log says that its set-up page is open. */
function SetupLink({ t }: { t: Texts }) {
	const lines = useStore(entries);
	const opened = lines.findLast(({ kind, text }) => kind === "log" && text.startsWith("setup: "));
	const address = opened && SETUP.exec(opened.text)?.[1];
	return address ? (
		<a class="plain" href={address} target="_blank" rel="noreferrer">
			{t.setup}
		</a>
	) : null;
}

function switchTheme(): void {
	const root = document.documentElement;
	const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
	root.dataset.theme = dark ? "light" : "dark";
	localStorage.setItem("theme", root.dataset.theme);
}

function Hint({ t }: { t: Texts }) {
	const text = useStore(hint);
	return (
		<section class="hint">
			<p>{t.noDevice}</p>
			{text && (
				<>
					<p>{t.flash}</p>
					<pre>{text}</pre>
				</>
			)}
		</section>
	);
}

function Locked({ t }: { t: Texts }) {
	const [token, setToken] = useState("");
	return (
		<form
			class="locked"
			onSubmit={(event) => {
				event.preventDefault();
				unlock(token);
			}}
		>
			<label for="token">{t.locked}</label>
			<input
				id="token"
				type="password"
				autocomplete="off"
				placeholder={t.token}
				required
				value={token}
				onInput={(event) => setToken(event.currentTarget.value)}
			/>
			<button type="submit" class="go">
				{t.unlock}
			</button>
		</form>
	);
}

/** A tool's name without what they all begin with, with places to break it. */
const shortName = (name: string) => name.replace(/^self\./, "");
const groupOf = (name: string) => (shortName(name).includes(".") ? (shortName(name).split(".")[0] ?? "") : "device");
const lastName = (name: string) => shortName(name).slice(shortName(name).lastIndexOf(".") + 1);

function Tools({ t }: { t: Texts }) {
	const known = useStore(device);
	const [people, setPeople] = useState(false);
	const [wanted, setWanted] = useState("");
	const [name, setName] = useState<string>();
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (event.key !== "/" || event.ctrlKey || event.metaKey || (event.target as Element).closest("input, textarea, select")) return;
			event.preventDefault();
			document.querySelector<HTMLInputElement>("#find")?.focus();
		};
		addEventListener("keydown", onKey);
		return () => removeEventListener("keydown", onKey);
	}, []);
	if (!known) return <aside class="tools" />;
	const offered = [...known.tools, ...(people ? (known.userTools ?? []) : [])];
	const needle = wanted.toLowerCase();
	const shown = offered.filter(({ name, description }) => `${name} ${description ?? ""}`.toLowerCase().includes(needle));
	const current = offered.find((tool) => tool.name === name) ?? offered.find((tool) => !tool.annotations?.readOnlyHint) ?? offered[0];
	const groups = new Map<string, Tool[]>();
	for (const tool of shown) groups.set(groupOf(tool.name), [...(groups.get(groupOf(tool.name)) ?? []), tool]);
	return (
		<aside class="tools">
			<div class="list">
				<div class="find">
					<input
						id="find"
						type="search"
						placeholder={`${t.findTool}  /`}
						aria-label={t.findTool}
						value={wanted}
						onInput={(event) => setWanted(event.currentTarget.value)}
						onKeyDown={(event) => {
							if (event.key === "Enter" && shown[0]) setName(shown[0].name);
						}}
					/>
					<label class="switch" title={known.userTools ? undefined : t.noPeople}>
						<input
							type="checkbox"
							role="switch"
							aria-checked={people}
							checked={people}
							disabled={!known.userTools}
							onChange={(event) => setPeople(event.currentTarget.checked)}
						/>
						<i />
						<span>{t.people}</span>
					</label>
				</div>
				<nav aria-label={t.tools} onKeyDown={walk}>
					{shown.length === 0 && <p class="quiet">{offered.length > 0 ? t.noTool : t.noTools}</p>}
					{[...groups].map(([group, tools]) => (
						<section key={group}>
							<h3>{group.replaceAll("_", " ")}</h3>
							{tools.map((tool) => (
								<button
									key={tool.name}
									type="button"
									aria-current={tool.name === current?.name}
									title={tool.description}
									onClick={() => setName(tool.name)}
								>
									<code>{breakable(lastName(tool.name))}</code>
									{tool.annotations?.readOnlyHint && <em>{t.reads}</em>}
									{tool.annotations?.destructiveHint && <em class="warn">{t.careful}</em>}
								</button>
							))}
						</section>
					))}
				</nav>
				<select class="chooser" aria-label={t.tools} value={current?.name ?? ""} onChange={(event) => setName(event.currentTarget.value)}>
					{offered.map((tool) => (
						<option key={tool.name} value={tool.name}>
							{shortName(tool.name)}
						</option>
					))}
				</select>
			</div>
			{current && <CallForm key={current.name} tool={current} />}
		</aside>
	);
}

/** The arrow keys go from tool to tool. */
function walk(event: KeyboardEvent): void {
	const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
	if (step === 0) return;
	event.preventDefault();
	const all = [...(event.currentTarget as Element).querySelectorAll("button")];
	all[all.indexOf(document.activeElement as HTMLButtonElement) + step]?.focus();
}

/** A name that may be broken behind its underscores. */
const breakable = (name: string) => name.split(/(?<=_)/).flatMap((piece, index) => (index > 0 ? [<wbr key={index} />, piece] : [piece]));

/** Draws the page, and what its source tells. */
export function start(source: Source): void {
	const kept = localStorage.getItem("theme");
	if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
	render(<App />, document.body);
	void run(source);
}
