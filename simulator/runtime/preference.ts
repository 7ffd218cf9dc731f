// "preference": settings that outlive a restart; kept by the host, directly on Node in memory. As strict as an ESP32's storage.
import { callHost, hosted } from "./bridge.js";

type Value = string | number | boolean | ArrayBuffer;

const MAX_NAME_LENGTH = 15;
const memory = new Map<string, Map<string, Value>>();

function checkName(kind: string, name: string): void {
	if (!name || name.length > MAX_NAME_LENGTH) throw new Error(`a preference's ${kind} has 1 to ${MAX_NAME_LENGTH} characters, not "${name}"`);
}

const Preference = Object.freeze({
	/** @throws Error for a long name, a number that is no whole 32-bit number, or another type */
	set(domain: string, key: string, value: Value): void {
		checkName("domain", domain);
		checkName("key", key);
		const buffer = value instanceof ArrayBuffer;
		if (!buffer && !["string", "number", "boolean"].includes(typeof value)) throw new Error("unsupported type");
		if (typeof value === "number" && value !== (value | 0)) throw new Error("float unsupported");
		if (!hosted) {
			const keys = memory.get(domain) ?? new Map<string, Value>();
			memory.set(domain, keys.set(key, buffer ? value.slice(0) : value));
		} else if (buffer) callHost(["preference.set", domain, key], new Uint8Array(value));
		else callHost(["preference.set", domain, key, value]);
	},
	/** @returns undefined when there is none */
	get(domain: string, key: string): Value | undefined {
		if (!hosted) {
			const value = memory.get(domain)?.get(key);
			return value instanceof ArrayBuffer ? value.slice(0) : value;
		}
		const { header, bytes } = callHost(["preference.get", domain, key]);
		return header[0] === "bytes" ? (bytes.slice().buffer as ArrayBuffer) : (header[1] as Value | undefined);
	},
	delete(domain: string, key: string): void {
		if (hosted) callHost(["preference.delete", domain, key]);
		else memory.get(domain)?.delete(key);
	},
	keys(domain: string): string[] {
		if (!hosted) return [...(memory.get(domain)?.keys() ?? [])];
		return callHost(["preference.keys", domain]).header[1] as string[];
	},
});

export default Preference;
