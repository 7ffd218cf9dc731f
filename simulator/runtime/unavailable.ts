// Stands for the arithmetic of Moddable's cryptography, which checks certificates: here the host's TLS does (see tls.ts).

/** Cannot be made. */
export default class Unavailable {
	constructor() {
		throw new Error("the simulator has none of Moddable's arithmetic for cryptography");
	}
}
