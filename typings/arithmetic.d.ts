// The arithmetic of Moddable's cryptography (modules/crypt/arith, modules/crypt/etc), as far as this project uses it; the SDK has no typings for it.

declare module "modular" {
	export default class Modular {
		constructor(modulus: bigint);
		/** `base` to the power of `exponent`, modulo the modulus. */
		exp(base: bigint, exponent: bigint): bigint;
	}
}

declare module "ecp" {
	export default class EcPoint {
		constructor(x: bigint, y: bigint);
	}
}

declare module "curve" {
	export default class Curve {
		constructor(name: "secp256r1" | "secp384r1");
		/** The order of the base point. */
		readonly n: bigint;
	}
}

declare module "ecdsa" {
	import type Curve from "curve";
	import type EcPoint from "ecp";

	export default class Ecdsa {
		constructor(key: EcPoint, curve: Curve, isPrivate: boolean);
		/** `signature` holds r and s one behind the other, each of the curve's full length; `hash` is no longer than that. */
		verify(hash: ArrayBufferLike, signature: ArrayBufferLike): boolean;
	}
}
