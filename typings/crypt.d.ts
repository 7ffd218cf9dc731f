// Moddable's digests (modules/crypt/digest) and resources (modules/files/resource), as far as this project uses them.

declare module "crypt" {
	export class Digest {
		constructor(type: "SHA1" | "SHA256" | "SHA384" | "SHA512");
		write(data: ArrayBuffer): void;
		close(): ArrayBuffer;
	}
}

declare module "Resource" {
	/** Data in flash that a manifest names under `resources`; typed arrays are views of it. */
	export default class Resource {
		/** Throws when there is none of that name. */
		constructor(name: string);
		readonly byteLength: number;
		static exists(name: string): boolean;
	}
}
