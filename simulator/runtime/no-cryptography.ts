// Stands for the SDK's modules under "crypt" and its arithmetic: they are for TLS, which is the host's here (see tls.ts).

const LACKING = "the simulator has none of Moddable's cryptography";

/** Cannot be made. */
export class Digest {
	constructor() {
		throw new Error(LACKING);
	}
}

export default Digest;
