// What the beginning of an ESP32's firmware image says: header, first segment's header, description (ESP-IDF, "App Image Format").

/** Members of a firmware image's description (ESP-IDF's `esp_app_desc_t`), under the names of the device's report. */
export interface ImageInfo {
	/** Such as "Jan  1 2026T12:00:00Z"; a reproducible build has none. */
	readonly compile_time?: string | undefined;
	/** ESP-IDF's version, such as "v6.0". */
	readonly idf_version?: string | undefined;
	/** 64 hexadecimal digits. */
	readonly elf_sha256: string;
}

const IMAGE_MAGIC = 0xe9;
const CHIP_ID_OFFSET = 12;
/** Where the description, ESP-IDF's `esp_app_desc_t`, begins in an image. */
export const DESCRIPTION_OFFSET = 32;
const DESCRIPTION_MAGIC: readonly number[] = Object.freeze([0x32, 0x54, 0xcd, 0xab]);
/** How much of an image `imageProblem` and `imageVersion` look at. */
export const IMAGE_HEAD_BYTES = 80;
/** How much of a description `imageInfo` looks at. */
export const DESCRIPTION_BYTES = 176;
/** Members of the description, from its beginning. */
const VERSION = Object.freeze({ offset: 16, length: 32 });
const TIME = Object.freeze({ offset: 80, length: 16 });
const DATE = Object.freeze({ offset: 96, length: 16 });
const IDF_VERSION = Object.freeze({ offset: 112, length: 32 });
const ELF_SHA256 = Object.freeze({ offset: 144, length: 32 });

/** The chip's number in an image's header, by the chip's name. */
const CHIP_IDS: { readonly [chip: string]: number } = Object.freeze({
	esp32: 0x0000,
	esp32s2: 0x0002,
	esp32c3: 0x0005,
	esp32s3: 0x0009,
	esp32c2: 0x000c,
	esp32c6: 0x000d,
	esp32h2: 0x0010,
	esp32p4: 0x0012,
});

/** What is wrong with the beginning of an image for this chip, in words; undefined when it is good. */
export function imageProblem(head: Uint8Array, chip: string): string | undefined {
	if (head[0] !== IMAGE_MAGIC) return "this is no firmware image: it does not begin with 0xE9";
	const id = ((head[CHIP_ID_OFFSET + 1] ?? 0) << 8) | (head[CHIP_ID_OFFSET] ?? 0);
	const own = CHIP_IDS[chip];
	if (own !== undefined && id !== own) {
		const other = Object.keys(CHIP_IDS).find((name) => CHIP_IDS[name] === id);
		return `the image is for ${other ?? "another chip"}, this is ${chip}`;
	}
	if (!isDescription(head.subarray(DESCRIPTION_OFFSET))) return "the image has no description: is it a bootloader or a merged file?";
}

/** The version that an image says it has; undefined where it says none. */
export function imageVersion(head: Uint8Array): string | undefined {
	return printable(head, DESCRIPTION_OFFSET + VERSION.offset, VERSION.length) || undefined;
}

/** What a description says; undefined where the bytes are none. */
export function imageInfo(description: Uint8Array): ImageInfo | undefined {
	if (description.byteLength < DESCRIPTION_BYTES || !isDescription(description)) return undefined;
	const date = printable(description, DATE.offset, DATE.length);
	const sha256 = description.subarray(ELF_SHA256.offset, ELF_SHA256.offset + ELF_SHA256.length);
	return {
		compile_time: date ? `${date}T${printable(description, TIME.offset, TIME.length)}Z` : undefined,
		idf_version: printable(description, IDF_VERSION.offset, IDF_VERSION.length) || undefined,
		elf_sha256: Array.from(sha256, (byte) => byte.toString(16).padStart(2, "0")).join(""),
	};
}

/** The text in a field of fixed length: ends at a zero, or at anything else that is not printable ASCII. */
export function printable(bytes: Uint8Array, offset: number, length: number): string {
	let text = "";
	for (let i = offset; i < offset + length; i++) {
		const code = bytes[i] ?? 0;
		if (code < 0x20 || code > 0x7e) break;
		text += String.fromCharCode(code);
	}
	return text;
}

function isDescription(bytes: Uint8Array): boolean {
	return DESCRIPTION_MAGIC.every((byte, i) => bytes[i] === byte);
}
