// The set-up page as text: a form for Wi-Fi and server that a phone can show, and the check of what the owner has entered.

import { isWellFormed } from "../base/text.js";
import type { WifiFound } from "../hardware/wifi.js";
import { rowOf } from "../settings/connection-settings.js";
import { setting, settingProblem, withoutQuery } from "../settings/settings.js";
import { SETTING_NAMES, type SettingName } from "../settings/table.js";
import type { SetupTexts } from "./texts.js";

/** A form with more than this is refused. */
export const MAX_FORM_BYTES = 8192;

/** What the page shows. */
export interface PageOptions {
	texts: SetupTexts;
	/** The device's name. */
	name: string;
	/** The Wi-Fi networks in range; undefined during the scan or where there is no Wi-Fi. */
	networks?: readonly WifiFound[] | undefined;
	/** Is there Wi-Fi to choose? */
	wifi: boolean;
	/** What was entered before, to show it again. */
	typed?: { readonly [name: string]: string } | undefined;
	/** What is wrong with it, by setting. */
	problems?: { readonly [name: string]: string } | undefined;
}

const STYLE =
	"*{box-sizing:border-box}body{margin:0;background:#f3f4f6;color:#111827;font:17px/1.45 system-ui,sans-serif;overflow-wrap:anywhere}" +
	"main{max-width:26rem;margin:0 auto;padding:1rem}h1{font-size:1.4rem;margin:.6rem 0}h2{font-size:1.05rem;margin:1.4rem 0 .3rem}" +
	"label{display:block;margin:.8rem 0 .2rem;font-weight:600}input{width:100%;padding:.7rem;font:inherit;border:1px solid #9ca3af;border-radius:.5rem;background:#fff}" +
	"input:focus{outline:3px solid #93c5fd;border-color:#2563eb}input[aria-invalid=true]{border-color:#b91c1c}small{color:#4b5563}a{display:inline-block;min-width:3rem;padding:.75rem 0;color:#1d4ed8}.bad{color:#b91c1c;font-weight:600;margin:.2rem 0}" +
	"button{width:100%;margin:1.4rem 0;padding:.9rem;font:inherit;font-weight:600;color:#fff;background:#1d4ed8;border:0;border-radius:.5rem}" +
	"ul{list-style:none;margin:.4rem 0;padding:0}li button{margin:.25rem 0;padding:.65rem .8rem;text-align:left;color:#111827;background:#fff;border:1px solid #d1d5db;font-weight:400;display:flex;justify-content:space-between}" +
	"@media(prefers-color-scheme:dark){body{background:#111827;color:#f3f4f6}input,li button{background:#1f2937;color:#f3f4f6}small{color:#9ca3af}a{color:#93c5fd}.bad{color:#fca5a5}}";

// The form works without it too: the names are then typed.
const SCRIPT =
	"document.addEventListener('click',function(e){var b=e.target.closest('[data-ssid]');if(!b)return;" +
	"document.getElementById('ssid').value=b.dataset.ssid;document.getElementById('password').focus()})";

// Only while nothing has been entered.
const RELOAD =
	"setTimeout(function(){if(![].some.call(document.querySelectorAll('input'),function(i){return i.value!==i.defaultValue}))location.reload()},2500)";

/** The page with the form. */
export function setupPage({ texts, name, networks, wifi, typed = {}, problems = {} }: PageOptions): string {
	const parts: string[] = [];
	if (wifi) {
		parts.push("<h2>", texts.wifi, "</h2>");
		if (networks?.length) {
			parts.push("<ul>");
			for (const { ssid, rssi, secure } of networks) {
				const strength = rssi >= -60 ? texts.strong : rssi >= -70 ? texts.medium : texts.weak;
				parts.push(
					`<li><button type="button" data-ssid="${escapeHtml(ssid)}"><span>${escapeHtml(ssid)}</span><small>${strength}${secure ? "" : texts.open}</small></button>`,
				);
			}
			parts.push("</ul>");
		} else parts.push(`<p>${networks ? texts.noneFound : texts.looking} <a href="/">${texts.lookAgain}</a></p>`);
		for (const name of fieldsOf("wifi")) parts.push(fieldHtml(name, texts, typed, problems));
	}
	parts.push("<h2>", texts.server, "</h2>");
	for (const name of fieldsOf("server")) parts.push(fieldHtml(name, texts, typed, problems));
	return page(
		texts,
		name,
		`<h1>${texts.setUp}${escapeHtml(name)}</h1>${Object.keys(problems).length ? `<p class="bad" role="alert">${texts.nothingSaved}</p>` : ""}<form method="post" action="/save" accept-charset="utf-8" novalidate>${parts.join("")}<button type="submit">${texts.save}</button></form><script>${SCRIPT}${wifi && !networks ? `;${RELOAD}` : ""}</script>`,
	);
}

/** The page after the form has been saved. */
export function savedPage(texts: SetupTexts, name: string): string {
	return page(texts, name, `<h1>${texts.saved}</h1><p>${escapeHtml(name)}${texts.restarts}`);
}

function page({ language, setUp }: SetupTexts, name: string, body: string): string {
	return `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${setUp}${escapeHtml(name)}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
}

function fieldHtml(
	name: SettingName,
	{ fields, isSet }: SetupTexts,
	typed: { readonly [name: string]: string },
	problems: { readonly [name: string]: string },
): string {
	const type = rowOf(name).page?.split(".")[1];
	const { label, hint = "" } = fields[name] ?? { label: name };
	const problem = problems[name];
	const value = typed[name] !== undefined && type !== "password" ? typed[name] : shown(name);
	const kept = type === "password" && setting(name) !== "";
	return (
		`<label for="${name}">${label}</label>` +
		`<input id="${name}" name="${name}" type="${type}" value="${escapeHtml(value)}" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="${problem ? `${name}-problem ` : ""}${name}-hint"${problem ? ' aria-invalid="true"' : ""}>` +
		`${problem ? `<p class="bad" id="${name}-problem">${escapeHtml(problem)}</p>` : ""}<small id="${name}-hint">${kept ? isSet : ""}${escapeHtml(hint)}</small>`
	);
}

/** What was entered: the settings of the form, by name; undefined where it is malformed. Other members are left out. */
export function readForm(body: string): { [name: string]: string } | undefined {
	const typed: { [name: string]: string } = {};
	for (const part of body.split("&")) {
		const equals = part.indexOf("=");
		if (equals < 0) continue;
		const name = decode(part.slice(0, equals));
		const value = decode(part.slice(equals + 1));
		if (name === undefined || value === undefined) return undefined;
		if (SETTING_NAMES.includes(name as SettingName)) typed[name] = value.trim();
	}
	return typed;
}

/** What is wrong with what was entered, by setting; an empty object when all is well. */
export function formProblems(
	typed: { readonly [name: string]: string },
	wifi: boolean,
	{ fields, needsNetwork }: SetupTexts,
): { [name: string]: string } {
	const problems: { [name: string]: string } = {};
	for (const name of SETTING_NAMES) {
		const value = typed[name];
		const problem = value && !isUnchanged(name, value) ? settingProblem(name, value) : undefined;
		if (problem) problems[name] = fields[name]?.rule ?? problem;
	}
	if (wifi && typed.ssid === "") problems.ssid = needsNetwork;
	return problems;
}

/** Is this what the field held before anything was entered? The setting is kept as it is then. */
export function isUnchanged(name: SettingName, value: string): boolean {
	return value === shown(name);
}

/** What a field holds at first: a secret never goes into a page, nor a query, which may hold one. */
function shown(name: SettingName): string {
	return rowOf(name).page?.endsWith(".password") ? "" : withoutQuery(setting(name));
}

function fieldsOf(part: "wifi" | "server"): readonly SettingName[] {
	return SETTING_NAMES.filter((name) => rowOf(name).page?.startsWith(part));
}

function decode(text: string): string | undefined {
	try {
		const decoded = decodeURIComponent(text.replaceAll("+", " "));
		// XS decodes half of a character too.
		return isWellFormed(decoded) ? decoded : undefined;
	} catch {
		return undefined;
	}
}

function escapeHtml(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
