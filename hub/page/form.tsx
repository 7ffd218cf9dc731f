// A tool's form, made from its schema, and what came of a call.

import type { CallToolResult, Tool } from "@modelcontextprotocol/client";
import type { CSSProperties } from "preact";
import { useState } from "preact/hooks";
import { callTool, device } from "./state.js";
import { useStore } from "./store.js";
import { language, type Texts, textsOf } from "./texts.js";

type Values = Readonly<Record<string, unknown>>;

interface Schema {
	readonly type?: unknown;
	readonly title?: unknown;
	readonly description?: unknown;
	readonly enum?: readonly unknown[];
	readonly default?: unknown;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly maxLength?: number;
	readonly minLength?: number;
}

interface FieldProps {
	readonly name: string;
	readonly schema: Schema;
	readonly required: boolean;
	readonly value: unknown;
	readonly onChange: (value: unknown) => void;
	readonly t: Texts;
}

/** Three numbers from 0 to 255 with these names are a color. */
const COLORS = [
	["r", "g", "b"],
	["red", "green", "blue"],
] as const;
/** As many choices stand side by side; more are a list. */
const MAX_SEGMENTS = 5;
/** A range of so few whole numbers is a choice. */
const FEW_NUMBERS = 5;
const LONG_TEXT = 100;

const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const isNumeric = (schema: Schema) => schema.type === "integer" || schema.type === "number";

/** What the form begins with: what has to be there, and nothing that need not. */
function firstValues({ inputSchema }: Tool): Record<string, unknown> {
	const values: Record<string, unknown> = {};
	const colored = colorOf(inputSchema.properties as Record<string, Schema> | undefined);
	for (const [name, schema] of Object.entries((inputSchema.properties ?? {}) as Record<string, Schema>)) {
		const required = inputSchema.required?.includes(name);
		if (!required) continue;
		if (schema.default !== undefined) values[name] = schema.default;
		else if (schema.enum) values[name] = schema.enum[0];
		else if (schema.type === "boolean") values[name] = true;
		else if (colored) values[name] = colored.indexOf(name as never) === 2 ? 255 : colored.indexOf(name as never) === 1 ? 128 : 0;
		else if (isNumeric(schema)) values[name] = firstNumber(schema);
	}
	return values;
}

/** A number that shows something: in the middle of a range. */
function firstNumber({ minimum, maximum, type }: Schema): number {
	const middle = minimum !== undefined && maximum !== undefined ? (minimum + maximum) / 2 : (minimum ?? maximum ?? 0);
	return type === "integer" ? Math.round(middle) : middle;
}

function colorOf(properties: Readonly<Record<string, Schema>> | undefined) {
	return COLORS.find((names) => names.every((name) => properties && Object.hasOwn(properties, name)));
}

const hex = (value: unknown) =>
	Math.min(255, Math.max(0, Number(value) || 0))
		.toString(16)
		.padStart(2, "0");

function Help({ id, schema }: { id: string; schema: Schema }) {
	const { minimum, maximum } = schema;
	const range = minimum !== undefined && maximum !== undefined ? `${minimum} … ${maximum}` : "";
	const text = textOf(schema.description);
	if (!text && !range) return null;
	return (
		<p class={`help ${text.length > 160 ? "long" : ""}`} id={id} title={text.length > 160 ? text : undefined}>
			{text} {range && <span class="range">{range}</span>}
		</p>
	);
}

function Field({ name, schema, required, value, onChange, t }: FieldProps) {
	const id = `field-${name}`;
	const described = { id, "aria-describedby": `${id}-help` };
	const label = (
		<label for={id}>
			{name}
			{!required && <em>{t.optional}</em>}
		</label>
	);
	const help = <Help id={`${id}-help`} schema={schema} />;
	const { minimum, maximum } = schema;
	const few =
		schema.type === "integer" && minimum !== undefined && maximum !== undefined && maximum - minimum < FEW_NUMBERS
			? Array.from({ length: maximum - minimum + 1 }, (_, index) => minimum + index)
			: undefined;
	const options = schema.enum ?? few ?? (schema.type === "boolean" ? [true, false] : undefined);
	const wordOf = (option: unknown) => (option === true ? t.yes : option === false ? t.no : String(option));
	if (options && options.length <= MAX_SEGMENTS)
		return (
			<fieldset class="field">
				<legend>
					{name}
					{!required && <em>{t.optional}</em>}
				</legend>
				<div class="segments">
					{options.map((option) => (
						<label key={String(option)}>
							<input
								type="radio"
								name={name}
								checked={value === option}
								// A choice that need not be made can be taken back.
								onClick={() => onChange(!required && value === option ? undefined : option)}
							/>
							<span>{wordOf(option)}</span>
						</label>
					))}
				</div>
				{help}
			</fieldset>
		);
	if (options)
		return (
			<div class="field">
				{label}
				<select
					{...described}
					value={String(value ?? "")}
					onChange={(event) => onChange(options.find((option) => String(option) === event.currentTarget.value))}
				>
					{!required && <option value="">{t.notSet}</option>}
					{options.map((option) => (
						<option key={String(option)} value={String(option)}>
							{String(option)}
						</option>
					))}
				</select>
				{help}
			</div>
		);
	if (isNumeric(schema)) {
		const ranged = minimum !== undefined && maximum !== undefined;
		const shown = typeof value === "number" ? value : undefined;
		const step = schema.type === "integer" ? 1 : "any";
		const limits = { ...(minimum === undefined ? {} : { min: minimum }), ...(maximum === undefined ? {} : { max: maximum }), step } as const;
		const take = (input: HTMLInputElement) => onChange(input.value === "" ? undefined : input.valueAsNumber);
		const share = ranged ? ((shown ?? minimum) - minimum) / (maximum - minimum || 1) : 0;
		return (
			<div class={`field number ${shown === undefined ? "unset" : ""}`}>
				{label}
				<div class="duo">
					{ranged && (
						<input
							type="range"
							tabIndex={-1}
							aria-hidden="true"
							{...limits}
							value={shown ?? minimum}
							style={{ "--share": `${Math.round(share * 1000) / 10}%` } as CSSProperties}
							onInput={(event) => take(event.currentTarget)}
						/>
					)}
					<input
						{...described}
						type="number"
						inputMode={schema.type === "integer" ? "numeric" : "decimal"}
						{...limits}
						required={required}
						value={shown ?? ""}
						placeholder={schema.default === undefined ? "" : String(schema.default)}
						onInput={(event) => take(event.currentTarget)}
					/>
				</div>
				{help}
			</div>
		);
	}
	if (schema.type === "string") {
		const limits = { required: required && schema.minLength !== 0, ...(schema.maxLength === undefined ? {} : { maxLength: schema.maxLength }) };
		const take = (text: string) => onChange(text === "" && !required ? undefined : text);
		return (
			<div class="field">
				{label}
				{(schema.maxLength ?? 0) > LONG_TEXT ? (
					<textarea {...described} {...limits} rows={3} value={textOf(value)} onInput={(event) => take(event.currentTarget.value)} />
				) : (
					<input
						{...described}
						{...limits}
						type="text"
						autocomplete="off"
						value={textOf(value)}
						onInput={(event) => take(event.currentTarget.value)}
					/>
				)}
				{help}
			</div>
		);
	}
	return (
		<div class="field">
			{label}
			<JsonInput described={described} required={required} value={value} onChange={onChange} t={t} />
			{help}
		</div>
	);
}

function JsonInput({
	described,
	required,
	value,
	onChange,
	t,
	object = false,
}: {
	described: object;
	required: boolean;
	value: unknown;
	onChange: (value: unknown) => void;
	t: Texts;
	object?: boolean;
}) {
	const [text, setText] = useState(() => (value === undefined ? "" : JSON.stringify(value, undefined, 2)));
	return (
		<textarea
			{...described}
			class="code"
			rows={object ? 8 : 4}
			spellcheck={false}
			required={required}
			placeholder="JSON"
			value={text}
			onInput={(event) => {
				const input = event.currentTarget;
				setText(input.value);
				try {
					const parsed: unknown = input.value.trim() === "" && !object ? undefined : JSON.parse(input.value);
					if (object && (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))) throw new Error();
					input.setCustomValidity("");
					onChange(parsed);
				} catch {
					input.setCustomValidity(t.notJson);
				}
			}}
		/>
	);
}

function ColorField({ names, values, onChange, t }: { names: readonly string[]; values: Values; onChange: (values: Values) => void; t: Texts }) {
	const color = `#${names.map((name) => hex(values[name])).join("")}`;
	return (
		<label class="field swatch">
			<span>{t.color}</span>
			<input
				type="color"
				value={color}
				onInput={(event) => {
					const parts = Number.parseInt(event.currentTarget.value.slice(1), 16);
					onChange({ ...values, ...Object.fromEntries(names.map((name, index) => [name, (parts >> (16 - 8 * index)) & 255])) });
				}}
			/>
			<code>{color}</code>
		</label>
	);
}

interface Outcome {
	readonly result?: CallToolResult;
	readonly error?: string;
	readonly milliseconds: number;
}

/** The form of one tool; a `key` with the tool's name keeps the values of one out of another's. */
export function CallForm({ tool }: { tool: Tool }) {
	const t = textsOf(useStore(language));
	const known = useStore(device);
	const [values, setValues] = useState<Values>(() => firstValues(tool));
	const [asJson, setAsJson] = useState(false);
	const [busy, setBusy] = useState(false);
	const [outcome, setOutcome] = useState<Outcome>();
	const properties = Object.entries((tool.inputSchema.properties ?? {}) as Record<string, Schema>);
	const color = colorOf(tool.inputSchema.properties as Record<string, Schema> | undefined);
	const change = (name: string, value: unknown) => {
		const { [name]: _, ...rest } = values;
		setValues(value === undefined ? rest : { ...values, [name]: value });
	};
	const submit = async (event: Event) => {
		event.preventDefault();
		if (!known || busy) return;
		setBusy(true);
		const began = performance.now();
		let came: Omit<Outcome, "milliseconds">;
		try {
			came = { result: await callTool(known.id, tool.name, values) };
		} catch (error) {
			came = { error: (error as Error).message };
		}
		setOutcome({ ...came, milliseconds: performance.now() - began });
		setBusy(false);
	};
	return (
		<form class="call" onSubmit={submit} aria-label={tool.name}>
			<div class="scroll">
				<header>
					<h2>{tool.name}</h2>
					{tool.title && <strong>{tool.title}</strong>}
					<p>{tool.description}</p>
				</header>
				{properties.length > 0 && (
					<div class="tabs small">
						{[false, true].map((json) => (
							<button key={String(json)} type="button" aria-pressed={asJson === json} onClick={() => setAsJson(json)}>
								{json ? t.asJson : t.asForm}
							</button>
						))}
					</div>
				)}
				<div class="fields">
					{properties.length === 0 && <p class="quiet">{t.noArguments}</p>}
					{asJson && properties.length > 0 ? (
						<div class="field">
							<label for="field-json">{t.argumentsJson}</label>
							<JsonInput described={{ id: "field-json" }} required object value={values} onChange={(given) => setValues(given as Values)} t={t} />
						</div>
					) : (
						<>
							{color && <ColorField names={color} values={values} onChange={setValues} t={t} />}
							{properties.map(([name, schema]) => (
								<Field
									key={name}
									name={name}
									schema={schema}
									required={tool.inputSchema.required?.includes(name) ?? false}
									value={values[name]}
									onChange={(value) => change(name, value)}
									t={t}
								/>
							))}
						</>
					)}
				</div>
				<details class="schema">
					<summary>{t.whole}</summary>
					<p>{tool.description}</p>
					<pre>{JSON.stringify({ inputSchema: tool.inputSchema, outputSchema: tool.outputSchema, annotations: tool.annotations }, undefined, 2)}</pre>
				</details>
			</div>
			<footer>
				<button class="go" type="submit" disabled={busy || !known?.connected}>
					{busy ? t.calling : t.call}
				</button>
				{!known?.connected && <span class="quiet">{t.awayLong}</span>}
				<output aria-live="polite" for={properties.map(([name]) => `field-${name}`).join(" ")}>
					{outcome && <Result outcome={outcome} t={t} />}
				</output>
			</footer>
		</form>
	);
}

const BASE64 = /^[A-Za-z0-9+/=\s]+$/;
const PICTURE = /^image\/(jpeg|png|gif|webp)$/;
const SOUND = /^audio\/[\w.+-]+$/;

function Result({ outcome: { result, error, milliseconds }, t }: { outcome: Outcome; t: Texts }) {
	const bad = error !== undefined || result?.isError === true;
	return (
		<div class={`result ${bad ? "bad" : "good"}`}>
			<small>
				{bad ? t.failed : t.done} · {milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms
			</small>
			{error !== undefined && <pre>{error}</pre>}
			{result?.content.map((item, index) => {
				if (item.type === "text") return <pre key={index}>{pretty(item.text)}</pre>;
				if (item.type === "image" && PICTURE.test(item.mimeType) && BASE64.test(item.data))
					return <img key={index} alt="" src={`data:${item.mimeType};base64,${item.data}`} />;
				if (item.type === "audio" && SOUND.test(item.mimeType) && BASE64.test(item.data))
					// biome-ignore lint/a11y/useMediaCaption: a device's sound has no captions
					return <audio key={index} controls src={`data:${item.mimeType};base64,${item.data}`} />;
				return <pre key={index}>{JSON.stringify(item, undefined, 2)}</pre>;
			})}
		</div>
	);
}

function pretty(text: string): string {
	if (!/^[[{]/.test(text)) return text;
	try {
		return JSON.stringify(JSON.parse(text), undefined, 2);
	} catch {
		return text;
	}
}
