// A board whose firmware runs in a worker of this page, and the page's end of its connections.

import type { FromWorker, ToWorker } from "../../../simulator/browser/messages.js";
import { SERVER } from "../../../simulator/browser/messages.js";
import type { Preferences } from "../../../simulator/host.js";
import { EnvelopeConnection } from "../../envelope.js";
import type { Observer } from "../../observer.js";
import { ServerSocket } from "./server-socket.js";

/** From its start on it lives as long as the page. What it keeps in its settings outlives a restart, not the page. */
export class LiveBoard {
	readonly #name: string;
	readonly #deviceId: string;
	readonly #observer: Observer;
	#worker: Worker | undefined;
	#preferences: Preferences = {};
	#sockets = new Map<number, ServerSocket>();
	#line = "";

	/** @param number makes the board's address, which is one in this page alone */
	constructor(observer: Observer, name: string, number: number) {
		this.#name = name;
		this.#deviceId = `02:00:00:00:00:${number.toString(16).padStart(2, "0")}`;
		this.#observer = observer;
	}

	/** May be called twice. */
	start(): void {
		if (!this.#worker) this.#begin();
	}

	input(part: string, input: Readonly<Record<string, unknown>>): void {
		this.#tell({ kind: "input", part, input });
	}

	#begin(): void {
		// A worker that is made of a blob is under this page's policy, whatever the server says of its files: it reaches no network.
		const script = `importScripts(${JSON.stringify(new URL("worker.js", location.href))})`;
		const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
		const worker = new Worker(url);
		this.#worker = worker;
		worker.onmessage = ({ data }) => this.#hear(data as FromWorker);
		worker.onerror = (event) => {
			event.preventDefault();
			this.#fail(event.message || "the worker could not be loaded");
		};
		const firmware = new URL(`boards/${this.#name}.js`, location.href).href;
		const config = {
			url: `ws://${SERVER.name}/xiaozhi/v1/`,
			device_id: this.#deviceId,
			client_id: `00000000-0000-4000-8000-${this.#deviceId.replaceAll(":", "")}`,
			owner_tools: "on",
		};
		this.#tell({ kind: "start", firmware, config, preferences: this.#preferences });
	}

	#hear(message: FromWorker): void {
		const observer = this.#observer;
		switch (message.kind) {
			case "trace": {
				const lines = (this.#line + message.text).split("\n");
				this.#line = lines.pop() ?? "";
				for (const line of lines) observer.log(this.#name, line);
				break;
			}
			case "describe":
				observer.describe(this.#name, message.part, message.description);
				break;
			case "show":
				observer.show(this.#name, message.part, message.state);
				break;
			case "open":
				this.#sockets.set(message.socket, this.#accept(message.socket));
				break;
			case "write":
				this.#sockets.get(message.socket)?.receive(message.bytes);
				break;
			case "close":
				this.#sockets.get(message.socket)?.closed("the device closed the connection");
				this.#sockets.delete(message.socket);
				break;
			case "restart":
				this.#preferences = message.preferences;
				this.#end("the device restarts");
				observer.restarted(this.#name);
				this.#begin();
				break;
			case "failed":
				this.#fail(message.reason);
		}
	}

	#accept(id: number): ServerSocket {
		let connection: EnvelopeConnection | undefined;
		const { devices } = this.#observer;
		const onProblem = (problem: string) => this.#observer.note(this.#name, `problem: ${problem}`);
		const socket: ServerSocket = new ServerSocket({
			write: (bytes) => this.#tell({ kind: "data", socket: id, bytes }),
			onOpen: (headers) => {
				connection = new EnvelopeConnection({
					device: { deviceId: this.#name, clientId: headers.get("client-id") ?? "" },
					listener: { onSession: (session) => void devices.add(session) },
					write: (text) => socket.send(text),
					hangUp: (fault) => (fault === undefined ? socket.close(1000) : socket.close(1008, fault)),
					onProblem,
				});
			},
			onText: (text) => connection?.receive(text),
			onClose: (reason) => {
				connection?.closed(reason);
				this.#tell({ kind: "end", socket: id });
			},
		});
		return socket;
	}

	#end(reason: string): void {
		this.#worker?.terminate();
		this.#worker = undefined;
		for (const socket of this.#sockets.values()) socket.closed(reason);
		this.#sockets.clear();
		this.#line = "";
	}

	#fail(reason: string): void {
		for (const line of reason.split("\n")) this.#observer.log(this.#name, line);
		this.#end("the firmware has failed");
	}

	#tell(message: ToWorker): void {
		this.#worker?.postMessage(message);
	}
}
