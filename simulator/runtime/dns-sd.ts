// Stands for Moddable's DNS-SD: a simulated device is on this computer only, and nobody else is to find it.

/** Cannot be made. */
export default class DnsSd {
	constructor() {
		throw new Error("the simulator announces nothing");
	}
}
