// Replaces the firmware over the network: checks the image's beginning and its signature, streams it into the other slot, and
// restarts with it.

import { concatBytes, latin1 } from "../base/bytes.js";
import { IMAGE_HEAD_BYTES, imageProblem, imageVersion } from "../base/firmware-image.js";
import type { Timers } from "../base/timers.js";
import { isOlder } from "../base/version.js";
import type { UpgradeStart } from "../hardware/device.js";
import type { FirmwareWriter } from "../hardware/firmware.js";
import type { System } from "../hardware/system.js";
import { type HttpCallbacks, type HttpOptions, type HttpRequest, requestHttp } from "../http/client.js";
import { ToolError } from "../mcp/content.js";
import { parseHttpUrl, type Url } from "../net/address.js";
import type { PublicKey } from "../tls/certificate.js";
import type { TlsSettings } from "../tls/settings.js";
import { checkImage, type ImageCheck, MAX_SIGNATURE_TEXT_BYTES, readHex, readUpgradeKey } from "./signed-image.js";

/** An image is never shorter. */
const MIN_IMAGE_BYTES = 4096;
/** A step of the notifications, in percent. */
const STEP_PERCENT = 10;

export interface FirmwareUpgradeOptions {
	system: System;
	timers: Timers;
	tls?: TlsSettings | undefined;
	/** `upgrade_key` of the configuration: only images that its owner has signed are taken. */
	key?: unknown;
	log(line: string): void;
	/** Tells how far it is: `{progress}` in percent, at the end `{done:true}` or `{error}`. */
	notify(params: { readonly [name: string]: unknown }): void;
	onUpgrading(upgrading: boolean): void;
	/** The new firmware is in its place: restart. */
	onDone(): void;
	/** Sends a request; `requestHttp` where it is not given. */
	request?: (options: HttpOptions, callbacks: HttpCallbacks) => HttpRequest;
	/** Begins the check of an image; `checkImage` where it is not given. */
	check?: (key: PublicKey, signature: Uint8Array) => ImageCheck;
}

/** One upgrade at a time. */
export class FirmwareUpgrade {
	readonly #options: FirmwareUpgradeOptions;
	/** "none" where images need no signature, undefined where the build's key is none and no image can be taken. */
	readonly #key: PublicKey | "none" | undefined;
	#request: HttpRequest | undefined;
	#writer: FirmwareWriter | undefined;
	#busy = false;

	constructor(options: FirmwareUpgradeOptions) {
		this.#options = options;
		const { key = "", log } = options;
		this.#key = key === "" ? "none" : typeof key === "string" ? readUpgradeKey(key) : undefined;
		if (this.#key === "none") log("upgrade: firmware images are not signed; build with upgrade_key to take your own only");
		else if (!this.#key) log("upgrade: upgrade_key is no public key of npm run keys; no firmware image is taken");
	}

	/** Are only images taken that the firmware's maker has signed? */
	get signed(): boolean {
		return this.#key !== undefined && this.#key !== "none";
	}

	/**
	 * Begins to download. Settles when the image's beginning is good and the rest is on its way.
	 * Rejects with a ToolError before that; the running firmware stays as it is.
	 * @param force takes a version that is older than the running one
	 */
	begin(url: string, force = false): Promise<UpgradeStart> {
		const { system, timers, tls, log, request = requestHttp, check = checkImage } = this.#options;
		const key = this.#key;
		const slot = system.firmware;
		if (!slot) return Promise.reject(new ToolError("This device cannot replace its firmware"));
		if (this.#busy) return Promise.reject(new ToolError("The firmware is being replaced already"));
		let address: Url;
		try {
			if (!key) throw new RangeError("this firmware's upgrade_key is not valid, so that no image can be checked");
			address = parseHttpUrl(url);
			// What comes from the machine itself is on nobody's path.
			if (key === "none" && !address.secure && address.host !== "127.0.0.1" && address.host !== "localhost") {
				throw new RangeError("an image that is not signed is taken over https:// only");
			}
		} catch (error) {
			const { message } = error as Error;
			log(`upgrade: ${message}; the running firmware stays`);
			return Promise.reject(new ToolError(sentence(message)));
		}
		this.#busy = true;
		log(`upgrade: asking ${url.split("?")[0]}`);
		return new Promise((resolve, reject) => {
			let size = 0;
			let head: Uint8Array = new Uint8Array(0);
			let written = 0;
			let told = 0;
			let refused = false;
			let checking: ImageCheck | undefined;
			const take = (bytes: Uint8Array) => {
				this.#writer?.write(bytes);
				checking?.write(bytes);
				written += bytes.byteLength;
				const percent = Math.floor((written / size) * 100);
				if (percent < told + STEP_PERCENT) return;
				told = percent - (percent % STEP_PERCENT);
				log(`upgrade: ${told} %`);
				this.#options.notify({ progress: told });
			};
			const fail = (problem: string) => {
				const begun = this.#writer !== undefined;
				this.end();
				log(`upgrade: ${problem}; the running firmware stays`);
				const told = withoutServersWords(problem);
				if (begun) this.#options.notify({ error: told });
				else reject(new ToolError(sentence(told)));
			};
			const callbacks: HttpCallbacks = {
				onHead({ status, contentType, length }) {
					if (status !== 200) return `the server answered ${status}`;
					if (contentType.includes("text/html")) return "the server sent a web page, not a firmware";
					if (length === undefined) return "the server does not say how long the image is";
					if (length < MIN_IMAGE_BYTES) return `${length} bytes are no firmware`;
					if (length > slot.size) return `the image has ${length} bytes, there is room for ${slot.size}`;
					size = length;
				},
				onBody: (bytes) => {
					try {
						if (this.#writer) {
							take(bytes);
							return;
						}
						head = concatBytes(head, bytes);
						if (head.byteLength < IMAGE_HEAD_BYTES) return;
						const problem = imageProblem(head, system.chip);
						if (problem) return problem;
						const version = imageVersion(head);
						if (!force && version !== undefined && isOlder(version, system.version)) {
							return `the image has version ${version}, older than ${system.version}: it is taken only with force`;
						}
						this.#writer = slot.open(size);
						this.#options.onUpgrading(true);
						resolve({ size, version });
						take(head);
					} catch (error) {
						refused = true;
						return `the flash refused: ${(error as Error).message}`;
					}
				},
				onDone: (problem) => {
					this.#request = undefined;
					if (problem !== undefined || refused) return fail(problem ?? "the flash refused");
					if (!this.#writer || written !== size) return fail(`the image ended after ${written} of ${size} bytes`);
					try {
						if (checking && !checking.holds()) return fail("the image's signature does not fit this firmware's key");
						this.#writer.complete();
					} catch (error) {
						return fail(`the image is not valid: ${(error as Error).message}`);
					}
					log(`upgrade: ${written} bytes written`);
					this.#options.notify({ done: true });
					this.end();
					this.#options.onDone();
				},
			};
			const ask = (url: Url, callbacks: HttpCallbacks) => {
				try {
					this.#request = request({ url, tls, timers, sameHost: true }, callbacks);
				} catch (error) {
					fail((error as Error).message);
				}
			};
			if (key === "none" || !key) return ask(address, callbacks);
			let text = "";
			ask(signatureOf(address), {
				onHead: ({ status }) => (status === 200 ? undefined : `the server answered ${status} when asked for the image's signature`),
				onBody(bytes) {
					if (text.length + bytes.byteLength > MAX_SIGNATURE_TEXT_BYTES) return "the image's signature is too long";
					text += latin1(bytes);
				},
				onDone(problem) {
					if (problem !== undefined) return fail(problem);
					const signature = readHex(text);
					if (!signature) return fail("the image's signature is not in hexadecimal digits");
					try {
						checking = check(key, signature);
					} catch (error) {
						return fail(`the image's signature cannot be checked: ${(error as Error).message}`);
					}
					ask(address, callbacks);
				},
			});
		});
	}

	/** Aborts; the running firmware stays. May be called twice. */
	close(): void {
		this.#request?.close();
		this.#request = undefined;
		this.end();
	}

	private end(): void {
		const writer = this.#writer;
		this.#writer = undefined;
		this.#busy = false;
		if (!writer) return;
		try {
			writer.close();
		} catch (error) {
			this.#options.log(`upgrade: ${(error as Error).message}`);
		}
		this.#options.onUpgrading(false);
	}
}

/** Where an image's signature lies: beside it, with ".sig" behind its name. */
function signatureOf(image: Url): Url {
	const query = image.path.indexOf("?");
	const end = query < 0 ? image.path.length : query;
	return { ...image, path: `${image.path.slice(0, end)}.sig${image.path.slice(end)}` };
}

/** What went wrong, for the log as for the caller, but the caller could look around the local network with a server's own words. */
function withoutServersWords(problem: string): string {
	if (problem.startsWith("TLS failed")) return "TLS failed; the device's log says why";
	const quote = problem.indexOf('"');
	return quote < 0 ? problem : `${problem.slice(0, quote).replace(": ", "").trimEnd()}; the device's log says more`;
}

function sentence(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
