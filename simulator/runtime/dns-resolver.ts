// "embedded:network/dns/resolver/udp": names to IPv4 addresses, through the host's resolver.
import { callHost, hosted, onEvent } from "./bridge.js";
import Timer from "./timer.js";

interface Query {
	host: string;
	onResolved?: (this: Resolver, host: string, address: string) => void;
	onError?: (this: Resolver, host: string) => void;
}

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;
const waiting = new Map<number, (address: string | null) => void>();
let lastId = 0;

onEvent("resolved", (header) => {
	const id = header[1] as number;
	const callback = waiting.get(id);
	waiting.delete(id);
	callback?.(header[2] as string | null);
});

/** Resolves names; what hardware needs (servers, a UDP socket) may be given and is not looked at. */
class Resolver {
	#closed = false;
	#ids: number[] = [];

	close(): void {
		this.#closed = true;
		for (const id of this.#ids) waiting.delete(id);
	}

	/** Calls back exactly once, never at once. @throws Error without a host or callbacks, or after `close` */
	resolve(query: Query): void {
		const { onResolved, onError } = query;
		if (!query.host || (!onResolved && !onError) || this.#closed) throw new Error("nothing to resolve");
		const host = query.host === "localhost" ? "127.0.0.1" : String(query.host);
		const answer = (address: string | null) => {
			if (this.#closed) return;
			if (address === null) onError?.call(this, host);
			else onResolved?.call(this, host, address);
		};
		if (IPV4.test(host)) Timer.set(() => answer(host));
		else if (!hosted) Timer.set(() => answer(null));
		else {
			const id = ++lastId;
			this.#ids.push(id);
			waiting.set(id, answer);
			callHost(["resolve", id, host]);
		}
	}
}

export default Resolver;
