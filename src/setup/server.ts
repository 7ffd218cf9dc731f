// The device's own web page for its first set-up, in an access point of its own where it has Wi-Fi.

import { limitLog } from "../base/limited-log.js";
import { Timeout, type Timers } from "../base/timers.js";
import type { Wifi, WifiFound } from "../hardware/wifi.js";
import type { Door } from "../http/listener.js";
import type { HttpRequest } from "../http/request-reader.js";
import { HttpServer } from "../http/server.js";
import config from "../sdk/config.js";
import TextDecoder from "../sdk/text-decoder.js";
import { PreferenceStore } from "../settings/preference-store.js";
import { setSetting } from "../settings/settings.js";
import { SETTING_NAMES } from "../settings/table.js";
import { accessPointPassword } from "./access-point-password.js";
import { CaptiveDns, DNS_PORT } from "./captive-dns.js";
import { formProblems, isUnchanged, MAX_FORM_BYTES, readForm, savedPage, setupPage } from "./page.js";
import { type SetupTexts, textsFor } from "./texts.js";

/** The page's port in the access point, where phones expect it. */
const ACCESS_POINT_PORT = 80;
/** The page's port where the device shares an address with other programs. */
const SHARED_PORT = 8088;
/** From the page that says "saved" to the restart. */
const RESTART_DELAY_MS = 1500;

const HEADERS: readonly string[] = Object.freeze(["host", "origin", "accept-language", "content-type"]);

export interface SetupServerOptions {
	/** Absent where there is no Wi-Fi to set. */
	wifi: Wifi | undefined;
	/** The device's name; the access point has it too. */
	name: string;
	timers: Timers;
	log(line: string): void;
	/** Listening sockets that stay open from one page to the next. */
	doors: Door[];
	/** Somebody is looking at the page. */
	onVisit(): void;
	/** New settings have been kept. */
	onSaved(): void;
}

interface Answer {
	status: number;
	type?: string;
	location?: string;
	body: string;
}

/** It serves from the constructor until `close`. A page that cannot be opened costs a line in the log. */
export class SetupServer {
	/** The page's address; "" when it could not be opened. */
	readonly address: string;
	/** What the owner is to do, in one line. */
	readonly instruction: string;
	readonly #options: SetupServerOptions;
	#server: HttpServer | undefined;
	#dns: CaptiveDns | undefined;
	#networks: readonly WifiFound[] | undefined;
	#scanning = false;
	readonly #restart: Timeout;
	#closed = false;

	constructor(options: SetupServerOptions) {
		const { wifi, name, log } = options;
		this.#options = options;
		this.#restart = new Timeout(options.timers);
		let address = "";
		let password: string | undefined;
		try {
			if (wifi) password = accessPointPassword(new PreferenceStore("moddable-mcp"), log);
			const host = wifi ? wifi.openAccessPoint(name, password) : "127.0.0.1";
			const port = portSetting("setup_port", wifi ? ACCESS_POINT_PORT : SHARED_PORT, log);
			this.#server = new HttpServer({
				timers: options.timers,
				log: limitLog((line) => log(`setup: ${line}`), options.timers, "visitors"),
				doors: options.doors,
				port,
				headers: HEADERS,
				maxBodyBytes: MAX_FORM_BYTES,
				onRequest: (exchange) => {
					const { status, type = "text/html; charset=utf-8", location, body } = this.#answer(exchange.request, exchange.body);
					const headers: [string, string][] = [
						["content-type", type],
						["cache-control", "no-store"],
					];
					if (location) headers.push(["location", location]);
					exchange.answer({ status, headers, body });
				},
			});
			if (wifi) this.#dns = new CaptiveDns({ address: host, port: portSetting("dns_port", DNS_PORT, log), log });
			address = `http://${host}${port === 80 ? "" : `:${port}`}/`;
		} catch (error) {
			log(`setup: the page could not be opened: ${(error as Error).message}`);
		}
		this.address = address;
		this.instruction = !address
			? "no set-up page"
			: wifi
				? `join the Wi-Fi "${name}"${password ? `, password ${password},` : ""} and open ${address}`
				: `open ${address}`;
		if (address && wifi && password === undefined)
			log("setup: the access point has no password: anyone nearby can open the page and read what is entered");
		this.#scan();
	}

	/** Closes the page and the access point. May be called twice. */
	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#restart.clear();
		this.#dns?.close();
		try {
			this.#server?.close();
			this.#options.wifi?.closeAccessPoint();
		} catch (error) {
			this.#options.log(`setup: ${(error as Error).message}`);
		}
	}

	#scan(): void {
		const { wifi, log } = this.#options;
		if (!wifi || this.#scanning) return;
		this.#scanning = true;
		try {
			wifi.scan((networks) => {
				this.#scanning = false;
				this.#networks = networks;
			});
		} catch (error) {
			this.#scanning = false;
			log(`setup: cannot scan for networks: ${(error as Error).message}`);
		}
	}

	#answer({ method, path, header }: HttpRequest, body: Uint8Array): Answer {
		const { wifi, name } = this.#options;
		const own = this.address.slice("http://".length, -1);
		const host = header("host") ?? "";
		const texts = textsFor(header("accept-language"));
		// Pages of other sites must not reach this one, and a phone that checks for internet access is redirected here.
		if (host !== own && host !== own.replace("127.0.0.1", "localhost")) return { status: 302, location: this.address, body: "" };
		if (method === "GET" && (path === "/" || path.startsWith("/?"))) {
			this.#options.onVisit();
			this.#scan();
			return { status: 200, body: setupPage({ texts, name, wifi: wifi !== undefined, networks: this.#networks }) };
		}
		if (method === "POST" && path === "/save") {
			const origin = header("origin");
			if (origin !== undefined && origin !== `http://${host}`) return { status: 403, type: "text/plain", body: "Not from another page.\n" };
			const form = formOf(header("content-type"), body);
			if (!form) return { status: 400, type: "text/plain", body: "This is not the form of the set-up page. Nothing was saved.\n" };
			return this.#save(form, texts);
		}
		return method === "GET"
			? { status: 302, location: this.address, body: "" }
			: { status: 404, type: "text/plain", body: "There is no such page.\n" };
	}

	#save(typed: { readonly [name: string]: string }, texts: SetupTexts): Answer {
		const { wifi, name: device, log, onSaved } = this.#options;
		const problems = formProblems(typed, wifi !== undefined, texts);
		const again = (): Answer => ({
			status: 422,
			body: setupPage({ texts, name: device, wifi: wifi !== undefined, networks: this.#networks, typed, problems }),
		});
		if (Object.keys(problems).length) return again();
		const saved: string[] = [];
		for (const name of SETTING_NAMES) {
			const value = typed[name];
			if (value === undefined || isUnchanged(name, value)) continue;
			try {
				setSetting(name, value);
			} catch (error) {
				problems[name] = (error as Error).message;
				return again();
			}
			saved.push(name);
		}
		log(`setup: saved ${saved.join(", ")}`);
		if (!this.#restart.pending) this.#restart.set(RESTART_DELAY_MS, onSaved);
		return { status: 200, body: savedPage(texts, device) };
	}
}

/** What a form holds; undefined for anything else, and for a form without one of its fields. */
function formOf(type: string | undefined, body: Uint8Array): { readonly [name: string]: string } | undefined {
	if (!type?.startsWith("application/x-www-form-urlencoded")) return undefined;
	try {
		const typed = readForm(new TextDecoder("utf-8", { fatal: true }).decode(body));
		return typed && Object.keys(typed).length ? typed : undefined;
	} catch {
		return undefined;
	}
}

/** A port that the build may set; an invalid one costs a line in the log. */
function portSetting(name: "setup_port" | "dns_port", fallback: number, log: (line: string) => void): number {
	const given = config[name];
	if (given === undefined || given === "") return fallback;
	const port = Number(given);
	if (Number.isInteger(port) && port > 0 && port < 65536) return port;
	log(`setup: ${name} must be a number from 1 to 65535, got "${given}"; using ${fallback}`);
	return fallback;
}
