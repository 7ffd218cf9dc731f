// "embedded:io/socket/udp": the simulator has no datagrams; names are resolved by the host.

class UDP {
	constructor() {
		throw new Error("the simulator has no UDP sockets");
	}
}

export default UDP;
