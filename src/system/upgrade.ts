// Replaces the firmware over the network: checks the image's beginning, streams it into the other slot, and restarts with it.

import { concatBytes } from "../base/bytes.js";
import { IMAGE_HEAD_BYTES, imageProblem, imageVersion } from "../base/firmware-image.js";
import type { Timers } from "../base/timers.js";
import type { UpgradeStart } from "../hardware/device.js";
import type { FirmwareWriter } from "../hardware/firmware.js";
import type { System } from "../hardware/system.js";
import { type HttpCallbacks, type HttpOptions, type HttpRequest, requestHttp } from "../http/client.js";
import { ToolError } from "../mcp/content.js";
import { parseHttpUrl, type Url } from "../net/address.js";
import type { TlsSettings } from "../tls/settings.js";

/** An image is never shorter. */
const MIN_IMAGE_BYTES = 4096;
/** A step of the notifications, in percent. */
const STEP_PERCENT = 10;

export interface FirmwareUpgradeOptions {
	system: System;
	timers: Timers;
	tls?: TlsSettings | undefined;
	log(line: string): void;
	/** Tells how far it is: `{progress}` in percent, at the end `{done:true}` or `{error}`. */
	notify(params: { readonly [name: string]: unknown }): void;
	onUpgrading(upgrading: boolean): void;
	/** The new firmware is in its place: restart. */
	onDone(): void;
	/** Sends a request; `requestHttp` where it is not given. */
	request?: (options: HttpOptions, callbacks: HttpCallbacks) => HttpRequest;
}

/** One upgrade at a time. */
export class FirmwareUpgrade {
	readonly #options: FirmwareUpgradeOptions;
	#request: HttpRequest | undefined;
	#writer: FirmwareWriter | undefined;
	#busy = false;

	constructor(options: FirmwareUpgradeOptions) {
		this.#options = options;
	}

	/**
	 * Begins to download. Settles when the image's beginning is good and the rest is on its way.
	 * Rejects with a ToolError before that; the running firmware stays as it is.
	 */
	begin(url: string): Promise<UpgradeStart> {
		const { system, timers, tls, log, request = requestHttp } = this.#options;
		const slot = system.firmware;
		if (!slot) return Promise.reject(new ToolError("This device cannot replace its firmware"));
		if (this.#busy) return Promise.reject(new ToolError("The firmware is being replaced already"));
		let address: Url;
		try {
			address = parseHttpUrl(url);
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
			const take = (bytes: Uint8Array) => {
				this.#writer?.write(bytes);
				written += bytes.byteLength;
				const percent = Math.floor((written / size) * 100);
				if (percent < told + STEP_PERCENT) return;
				told = percent - (percent % STEP_PERCENT);
				log(`upgrade: ${told} %`);
				this.#options.notify({ progress: told });
			};
			const fail = (problem: string) => {
				const begun = this.#writer !== undefined;
				this.#end();
				log(`upgrade: ${problem}; the running firmware stays`);
				if (begun) this.#options.notify({ error: problem });
				else reject(new ToolError(sentence(problem)));
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
						this.#writer = slot.open(size);
						this.#options.onUpgrading(true);
						resolve({ size, version: imageVersion(head) });
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
						this.#writer.complete();
					} catch (error) {
						return fail(`the image is not valid: ${(error as Error).message}`);
					}
					log(`upgrade: ${written} bytes written`);
					this.#options.notify({ done: true });
					this.#end();
					this.#options.onDone();
				},
			};
			try {
				this.#request = request({ url: address, tls, timers }, callbacks);
			} catch (error) {
				fail((error as Error).message);
			}
		});
	}

	/** Aborts; the running firmware stays. May be called twice. */
	close(): void {
		this.#request?.close();
		this.#request = undefined;
		this.#end();
	}

	#end(): void {
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

function sentence(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
