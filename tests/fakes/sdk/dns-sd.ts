// Stands for Moddable's DNS-SD in tests: keeps what it was asked for.

type Claim = { host: string; onReady(): void; onError(): void };
type Service = { serviceType: string; name: string; host: string; port: number; txt: Uint8Array };

export default class FakeDnsSd {
	static last: FakeDnsSd | undefined;
	/** What the next one throws. */
	static failure: Error | undefined;
	readonly claims: (Claim & { closed: boolean })[] = [];
	readonly services: Service[] = [];
	closed = 0;

	constructor(readonly options: { socket: { io: unknown } }) {
		if (FakeDnsSd.failure) throw FakeDnsSd.failure;
		FakeDnsSd.last = this;
	}

	claim(claim: Claim): { close(): void } {
		const kept = { ...claim, closed: false };
		this.claims.push(kept);
		return {
			close() {
				kept.closed = true;
			},
		};
	}

	advertise(service: Service): { close(): void } {
		this.services.push(service);
		return { close() {} };
	}

	close(): void {
		this.closed++;
	}
}
