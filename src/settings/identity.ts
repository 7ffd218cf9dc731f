// Who this device is: a UUID made once and kept, and a network address made from it where the hardware has none.

import type { PreferenceStore } from "./preference-store.js";

/**
 * This device's UUID (version 4). The first call makes and keeps it; a damaged one is replaced. Where the store is full it holds
 * for this run: a device must start whatever its flash does.
 */
export function deviceUuid(settings: PreferenceStore): string {
	const kept = settings.text("uuid", /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
	if (kept) return kept;
	const uuid = createUuid();
	try {
		settings.set("uuid", uuid);
	} catch (error) {
		trace(`identity: the UUID could not be kept, and is another one at the next start: ${(error as Error).message}\n`);
	}
	return uuid;
}

/** A locally administered unicast address, `aa:bb:cc:dd:ee:ff`, from the last six bytes of a UUID. */
export function macFromUuid(uuid: string): string {
	const octets: string[] = [];
	for (let i = uuid.length - 12; i < uuid.length; i += 2) octets.push(uuid.slice(i, i + 2));
	const first = (Number.parseInt(octets[0] as string, 16) & 0xfc) | 0x02;
	octets[0] = hex(first);
	return octets.join(":");
}

/** Is it a network address as `aa:bb:cc:dd:ee:ff`, in lower case? */
export function isMac(value: unknown): value is string {
	return typeof value === "string" && /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/.test(value);
}

function createUuid(): string {
	const now = Date.now();
	let text = "";
	for (let i = 0; i < 16; i++) {
		let byte = Math.floor(Math.random() * 256);
		// The clock goes into the last six, of which an address is made: a simulator's Math.random may begin with the same numbers at every start.
		if (i >= 10) byte ^= Math.floor(now / 256 ** (15 - i)) % 256;
		if (i === 6) byte = (byte & 0x0f) | 0x40;
		if (i === 8) byte = (byte & 0x3f) | 0x80;
		if (i === 4 || i === 6 || i === 8 || i === 10) text += "-";
		text += hex(byte);
	}
	return text;
}

function hex(byte: number): string {
	return byte.toString(16).padStart(2, "0");
}
