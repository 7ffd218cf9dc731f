// The device's own web page for its first set-up, in an access point of its own where it has Wi-Fi.

import HttpServer from "embedded:network/http/server";
import config from "mc/config";
import TextDecoder from "text/decoder";
import type { Wifi, WifiFound } from "../hardware/hardware.js";
import { createListenerClass } from "../http/listener.js";
import type { Timers } from "../mcp/server.js";
import { setSetting, setting } from "../settings/device-settings.js";
import { SETTING_NAMES } from "../settings/setting-names.js";
import { CaptiveDns, DNS_PORT } from "./captive-dns.js";
import { formProblems, keepsWhenEmpty, MAX_FORM_BYTES, readForm, savedPage, setupPage } from "./page.js";
import { type SetupTexts, textsFor } from "./texts.js";

/** The page's port in the access point, where phones look for it. */
const ACCESS_POINT_PORT = 80;
/** The page's port where the device shares an address with other programs. */
const SHARED_PORT = 8088;
/** From the page that says "saved" to the restart. */
const RESTART_DELAY_MS = 1500;

interface Request {
	readonly method: string;
	readonly path: string;
	readonly headers: Map<string, string>;
}

interface Response {
	status: number;
	headers: Map<string, string | number>;
}

/** As much of the SDK's connection as is used here. */
interface Connection {
	accept(callbacks: object): void;
	read(count?: number): ArrayBuffer | undefined;
	write(data: Uint8Array): number;
	respond(response: Response): void;
	close(): void;
}

const SdkServer = HttpServer as unknown as new (options: {
	io: ReturnType<typeof createListenerClass>;
	port: number;
	onConnect(connection: Connection): void;
}) => {
	close(): void;
	readonly port: number;
};

export interface SetupServerOptions {
	/** Absent where there is no Wi-Fi to set. */
	wifi: Wifi | undefined;
	/** The device's name; the access point has it too. */
	name: string;
	timers: Timers;
	log(line: string): void;
	/** Somebody looks at the page. */
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

/** Made, it serves; it ends with `close`. A page that cannot be opened costs a line in the log. */
export class SetupServer {
	/** The page's address; "" when it could not be opened. */
	readonly address: string;
	/** What the owner is to do, in one line. */
	readonly instruction: string;
	readonly #options: SetupServerOptions;
	#server: InstanceType<typeof SdkServer> | undefined;
	#dns: CaptiveDns | undefined;
	#networks: readonly WifiFound[] | undefined;
	#scanning = false;
	#timer: unknown;
	#closed = false;

	constructor(options: SetupServerOptions) {
		const { wifi, name, log } = options;
		this.#options = options;
		let address = "";
		try {
			const host = wifi ? wifi.openAccessPoint(name) : "127.0.0.1";
			const port = portSetting("setup_port", wifi ? ACCESS_POINT_PORT : SHARED_PORT, log);
			this.#server = new SdkServer({
				io: createListenerClass({ timers: options.timers, log: (line) => log(`setup: ${line}`) }),
				port,
				onConnect: (connection) => this.#connected(connection),
			});
			if (wifi) this.#dns = new CaptiveDns({ address: host, port: portSetting("dns_port", DNS_PORT, log), log });
			address = `http://${host}${port === 80 ? "" : `:${port}`}/`;
		} catch (error) {
			log(`setup: the page could not be opened: ${(error as Error).message}`);
		}
		this.address = address;
		this.instruction = !address ? "no set-up page" : wifi ? `join the Wi-Fi "${name}" and open ${address}` : `open ${address}`;
		this.#scan();
	}

	/** Closes the page and the access point. May be called twice. */
	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		if (this.#timer !== undefined) this.#options.timers.clear(this.#timer);
		this.#timer = undefined;
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
			log(`setup: no look for networks: ${(error as Error).message}`);
		}
	}

	#connected(connection: Connection): void {
		const self = this;
		let request: Request | undefined;
		let body = new Uint8Array(0);
		let tooLong = false;
		let reply: Uint8Array | undefined;
		let sent = 0;
		connection.accept({
			onRequest(this: Connection, what: Request) {
				request = what;
			},
			onReadable(this: Connection, count: number) {
				const data = this.read(count);
				if (!data) return;
				tooLong ||= body.byteLength + data.byteLength > MAX_FORM_BYTES;
				if (tooLong) return;
				const more = new Uint8Array(body.byteLength + data.byteLength);
				more.set(body);
				more.set(new Uint8Array(data), body.byteLength);
				body = more;
			},
			onResponse(this: Connection, response: Response) {
				const { status, type = "text/html; charset=utf-8", location, body: text } = self.#answer(request as Request, body, tooLong);
				reply = new Uint8Array(ArrayBuffer.fromString(text));
				response.status = status;
				response.headers.set("content-type", type);
				response.headers.set("content-length", reply.byteLength);
				response.headers.set("cache-control", "no-store");
				response.headers.set("connection", "close");
				if (location) response.headers.set("location", location);
				this.respond(response);
			},
			onWritable(this: Connection, count: number) {
				if (!reply) return;
				for (let room = count; room > 0 && sent < reply.byteLength; ) {
					const piece = reply.subarray(sent, sent + room);
					sent += piece.byteLength;
					room = this.write(piece);
				}
			},
		});
	}

	#answer({ method, path, headers }: Request, body: Uint8Array, tooLong: boolean): Answer {
		const { wifi, name } = this.#options;
		const own = this.address.slice("http://".length, -1);
		const host = headers.get("host") ?? "";
		const texts = textsFor(headers.get("accept-language"));
		// A page of somebody else's must not reach this one, and a phone that looks for the internet is led here.
		if (host !== own && host !== own.replace("127.0.0.1", "localhost")) return { status: 302, location: this.address, body: "" };
		if (method === "GET" && (path === "/" || path.startsWith("/?"))) {
			this.#options.onVisit();
			this.#scan();
			return { status: 200, body: setupPage({ texts, name, wifi: wifi !== undefined, networks: this.#networks }) };
		}
		if (method === "POST" && path === "/save") {
			if (tooLong) return { status: 413, type: "text/plain", body: "The form is too long.\n" };
			const origin = headers.get("origin");
			if (origin !== undefined && origin !== `http://${host}`) return { status: 403, type: "text/plain", body: "Not from another page.\n" };
			return this.#save(new TextDecoder().decode(body), texts);
		}
		return method === "GET"
			? { status: 302, location: this.address, body: "" }
			: { status: 404, type: "text/plain", body: "There is no such page.\n" };
	}

	#save(form: string, texts: SetupTexts): Answer {
		const { wifi, name: device, timers, log, onSaved } = this.#options;
		const typed = readForm(form);
		const problems = formProblems(typed, wifi !== undefined, texts);
		const again = (): Answer => ({
			status: 422,
			body: setupPage({ texts, name: device, wifi: wifi !== undefined, networks: this.#networks, typed, problems }),
		});
		if (Object.keys(problems).length) return again();
		const saved: string[] = [];
		const ssidBefore = setting("ssid");
		for (const name of SETTING_NAMES) {
			const value = typed[name];
			// The password of the network before is no use in another one.
			const keeps = keepsWhenEmpty(name) && !(name === "password" && typed.ssid !== undefined && typed.ssid !== ssidBefore);
			if (value === undefined || (value === "" && keeps)) continue;
			try {
				setSetting(name, value);
			} catch (error) {
				problems[name] = (error as Error).message;
				return again();
			}
			saved.push(name);
		}
		log(`setup: saved ${saved.join(", ")}`);
		this.#timer ??= timers.set(onSaved, RESTART_DELAY_MS);
		return { status: 200, body: savedPage(texts, device) };
	}
}

/** A port that the build may set; one that cannot be costs a line in the log. */
function portSetting(name: "setup_port" | "dns_port", otherwise: number, log: (line: string) => void): number {
	const given = config[name];
	if (given === undefined || given === "") return otherwise;
	const port = Number(given);
	if (Number.isInteger(port) && port > 0 && port < 65536) return port;
	log(`setup: ${name} must be a number from 1 to 65535, got "${given}"; ${otherwise} is used`);
	return otherwise;
}
