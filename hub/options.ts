// The options that say who a device is and whom it talks to, with their checks.

import { createHash, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { UsageError } from "../cli/program.js";
import { uuidFrom } from "./uuid.js";

/** @throws UsageError unless it is a ws or wss URL that a device can open */
export function parseDeviceUrl(text: string | undefined, option = "--url"): string {
	if (text === undefined) throw new UsageError(`${option} is missing, for example ${option} ws://127.0.0.1:8000/xiaozhi/v1/`);
	const url = parseUrl(text, option, ["ws:", "wss:"]);
	if (url.username || url.password) throw new UsageError(`${option} must not hold a name or password; use --token`);
	return text;
}

/** Where a broker is, and who the device is there. */
export interface MqttOption {
	/** Without name and password. */
	endpoint: string;
	username: string | undefined;
	password: string | undefined;
}

/** @throws UsageError unless it looks like mqtt://user:password@host:port; name and password may be percent-encoded */
export function parseMqttUrl(text: string): MqttOption {
	const { protocol, host, username, password, pathname, search } = parseUrl(text, "--mqtt", ["mqtt:", "mqtts:"]);
	if ((pathname && pathname !== "/") || search) throw new UsageError("--mqtt has no path; the topics are --publish and --subscribe");
	try {
		const [name, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
		return { endpoint: `${protocol}//${host}`, username: name || undefined, password: secret || undefined };
	} catch {
		throw new UsageError("--mqtt has a name or password that is not percent-encoded well");
	}
}

/** @throws UsageError unless a device would say it */
export function parseSentence(text: string): string {
	if (!text.trim() || text.length > 500) throw new UsageError("--say needs a sentence of 1 to 500 characters");
	return text;
}

/** @throws UsageError unless it looks like http://host/path */
export function parseOtaUrl(text: string): string {
	const { username, password } = parseUrl(text, "--ota", ["http:", "https:"]);
	if (username || password) throw new UsageError("--ota has no user name or password");
	return text;
}

/** @throws UsageError unless it looks like tcp://host:port */
export function parseFramedAddress(text: string): string {
	const { protocol, host, port, username, password, pathname, search } = parseUrl(text, "--framed", ["tcp:", "tls:"]);
	if (!port || username || password || (pathname && pathname !== "/") || search)
		throw new UsageError(`--framed must look like tcp://HOST:PORT, got "${hideSecrets(text)}"`);
	return `${protocol}//${host}`;
}

/** The message never repeats what may hold a secret. */
function parseUrl(text: string, option: string, protocols: readonly string[]): URL {
	const [first, second] = protocols.map((protocol) => `${protocol}//`);
	const url = !/[\s\p{Cc}]/u.test(text) && URL.canParse(text) ? new URL(text) : undefined;
	if (!url) throw new UsageError(`${option} is not a URL: "${hideSecrets(text)}"`);
	if (!protocols.includes(url.protocol) || !url.hostname)
		throw new UsageError(`${option} must begin with ${first} or ${second}, got "${hideSecrets(text)}"`);
	return url;
}

function hideSecrets(text: string): string {
	return text.replace(/\/\/[^/@]*@/, "//…@").replace(/\?.*/s, "?…");
}

/**
 * The token of an option, of the file that another one names, or of the environment variable MODDABLE_MCP_TOKEN: only the first can
 * be seen in the list of processes.
 * @throws UsageError
 */
export function readToken(token: string | undefined, file: string | undefined): string | undefined {
	if (token !== undefined && file !== undefined) throw new UsageError("--token and --token-file exclude each other");
	if (file === undefined) return token ?? (process.env.MODDABLE_MCP_TOKEN || undefined);
	try {
		return readFileSync(file, "utf8").trim();
	} catch (error) {
		throw new UsageError(`--token-file cannot be read: ${(error as Error).message}`);
	}
}

/** @throws UsageError unless it can stand in a header */
export function parseToken(text: string): string {
	if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text)) throw new UsageError("--token must be of printable ASCII characters");
	return text;
}

/**
 * Reads the certificates of a file, PEM or DER.
 * @returns DER by made-up names, as resources of the firmware
 * @throws UsageError when there are none
 */
export function readCertificates(file: string): Record<string, Uint8Array> {
	let bytes: Buffer;
	try {
		bytes = readFileSync(file);
	} catch (error) {
		throw new UsageError(`--ca cannot be read: ${(error as Error).message}`);
	}
	const blocks = bytes.toString("latin1").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [bytes];
	try {
		return Object.fromEntries(blocks.map((block, i) => [`ca-${i + 1}.der`, new Uint8Array(new X509Certificate(block).raw)]));
	} catch {
		throw new UsageError(`--ca holds no certificate in PEM or DER: "${file}"`);
	}
}

/** @throws UsageError unless it is six pairs of hexadecimal digits with colons */
export function parseMacAddress(text: string): string {
	if (!/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(text)) throw new UsageError(`--device-id must look like aa:bb:cc:dd:ee:ff, got "${text}"`);
	return text.toLowerCase();
}

/** @throws UsageError unless it is a UUID */
export function parseUuid(text: string): string {
	if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw new UsageError(`--client-id must be a UUID, got "${text}"`);
	return text.toLowerCase();
}

/** A network address for this machine, the same at every start: locally administered, so no real device has it. */
export function defaultMacAddress(machine = hostname()): string {
	const digest = createHash("sha256").update(`moddable-mcp device ${machine}`).digest();
	return ["02", ...[...digest.subarray(0, 5)].map((byte) => byte.toString(16).padStart(2, "0"))].join(":");
}

/** A UUID (version 8, RFC 9562) that belongs to a network address. */
export function uuidOf(macAddress: string): string {
	return uuidFrom(createHash("sha256").update(`moddable-mcp client ${macAddress}`).digest(), 8);
}
