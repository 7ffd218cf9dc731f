// Has a vision server look at a photo: POST multipart/form-data with the question and the picture, as the reference sends it.

import { utf8Bytes } from "../base/bytes.js";
import { oneLine } from "../base/text.js";
import type { Timers } from "../base/timers.js";
import { type HttpOptions, type HttpText, requestText } from "../http/client.js";
import { parseHttpUrl } from "../net/address.js";
import type { TlsSettings } from "../tls/settings.js";

/** Less than a tool has, so that the caller hears of it. */
export const VISION_TIMEOUT_MS = 20_000;
const BOUNDARY = "----moddable-mcp-photo";

export interface VisionOptions {
	timers: Timers;
	tls?: TlsSettings | undefined;
	/** What servers know the device by. */
	deviceId: string;
	clientId: string;
	/** Sends a request; `requestText` where it is not given. */
	request?: (options: HttpOptions) => Promise<HttpText>;
}

/** What `DeviceServices.see` is. */
export type See = (photo: Uint8Array, question: string, vision: { readonly url: string; readonly token: string }) => Promise<string>;

/** Makes a function that resolves with a server's answer, a JSON text, and rejects with an Error in plain words that repeats no secret. */
export function createVision({ timers, tls, deviceId, clientId, request = requestText }: VisionOptions): See {
	return async (photo, question, { url, token }) => {
		const headers: [string, string][] = [
			["Device-Id", deviceId],
			["Client-Id", clientId],
			["Content-Type", `multipart/form-data; boundary=${BOUNDARY}`],
		];
		if (token) {
			for (let i = 0; i < token.length; i++) {
				const code = token.charCodeAt(i);
				if (code < 0x20 || code > 0x7e) throw new Error("the vision server's token cannot be sent");
			}
			headers.push(["Authorization", `Bearer ${token}`]);
		}
		const head =
			part('name="question"') +
			// Some servers look for the boundary within lines too.
			`${oneLine(question, 500).replaceAll("--", "- ")}\r\n` +
			part('name="file"; filename="camera.jpg"\r\nContent-Type: image/jpeg');
		const { status, text } = await request({
			url: parseHttpUrl(url),
			method: "POST",
			headers,
			parts: [utf8Bytes(head), photo, utf8Bytes(`\r\n--${BOUNDARY}--\r\n`)],
			timers,
			tls,
			timeoutMs: VISION_TIMEOUT_MS,
		});
		if (status < 200 || status > 299) throw new Error(`the vision server answered ${status}`);
		if (!text.trim()) throw new Error("the vision server's answer is empty");
		return text;
	};
}

function part(what: string): string {
	return `--${BOUNDARY}\r\nContent-Disposition: form-data; ${what}\r\n\r\n`;
}
