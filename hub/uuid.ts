// UUIDs, made alike on Node and in a page; a browser's own `randomUUID` is not there on pages without TLS.

/** 16 bytes as a UUID of version 8 where they mean something, and of version 4 where they are random. */
export function uuidFrom(bytes: Uint8Array, version: 4 | 8): string {
	const own = bytes.slice(0, 16);
	own[6] = ((own[6] ?? 0) & 0x0f) | (version << 4);
	own[8] = ((own[8] ?? 0) & 0x3f) | 0x80;
	const digits = Array.from(own, (byte) => byte.toString(16).padStart(2, "0")).join("");
	return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export const randomUuid = (): string => uuidFrom(crypto.getRandomValues(new Uint8Array(16)), 4);
