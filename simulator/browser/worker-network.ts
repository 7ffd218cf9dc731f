// The network of a simulated machine in a browser's worker: one server, which is the page, over messages that carry bytes.
import { known, type Network, type NetworkOptions, ReceiveWindow, type Reply } from "../network.js";
import type { Header } from "../runtime/frame.js";
import { type FromWorker, SERVER } from "./messages.js";

export class WorkerNetwork implements Network {
	#options: NetworkOptions;
	#tell: (message: FromWorker) => void;
	#sockets = new Map<number, ReceiveWindow>();

	constructor(options: NetworkOptions, tell: (message: FromWorker) => void) {
		this.#options = options;
		this.#tell = tell;
	}

	answer([kind, ...values]: Header, bytes: Uint8Array): Reply {
		const { config, post } = this.#options;
		const id = values[0] as number;
		switch (kind) {
			case "net":
				return known({ IP: SERVER.address, DNS: [], MAC: config.device_id }[values[0] as string]);
			case "resolve":
				post(["resolved", id, values[1] === SERVER.name ? SERVER.address : null]);
				break;
			case "socket.open":
				this.#open(values);
				break;
			case "socket.write":
				// Its own copy: the machine's memory stays with the machine.
				if (this.#sockets.has(id)) this.#tell({ kind: "write", socket: id, bytes: bytes.slice() });
				post(["socket", id, "drained"]);
				break;
			case "socket.consumed":
				this.#sockets.get(id)?.consumed(values[1] as number);
				break;
			case "socket.close":
				if (this.#sockets.delete(id)) this.#tell({ kind: "close", socket: id });
				break;
			case "udp.look":
				return ["ok", 0];
			// Nobody connects to a page, or sends it datagrams.
			case "listen":
			case "unlisten":
			case "udp.open":
			case "udp.send":
			case "udp.close":
				break;
			default:
				throw new Error(`the simulator does not know "${kind}" in a browser`);
		}
		return ["ok"];
	}

	/** The page has sent something. */
	receive(id: number, bytes: Uint8Array): void {
		this.#sockets.get(id)?.push(bytes);
	}

	/** The page has closed a connection. */
	ended(id: number): void {
		this.#sockets.get(id)?.end();
	}

	async quiet(): Promise<void> {}

	close(): void {
		for (const socket of this.#sockets.keys()) this.#tell({ kind: "close", socket });
		this.#sockets.clear();
	}

	destroy(): void {
		this.close();
	}

	#open([number, address, port, , serverName]: readonly unknown[]): void {
		const { config, post } = this.#options;
		const id = number as number;
		if (address !== SERVER.address || port !== SERVER.port || serverName !== null) {
			post(["socket", id, "ended", "a page reaches no other server"]);
			return;
		}
		const window = new ReceiveWindow(
			config,
			(bytes) => post(["socket", id, "data"], bytes),
			() => post(["socket", id, "ended"]),
		);
		this.#sockets.set(id, window);
		this.#tell({ kind: "open", socket: id });
		post(["socket", id, "connected", address, port]);
	}
}
