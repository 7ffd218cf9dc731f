// A stand-in for Moddable's `embedded:io/serial`: it records sentences, and a test says what comes back.

/** Every port that was made, newest last. */
export const ports: FakeSerial[] = [];

export class FakeSerial {
	readonly options: { transmit: number; receive: number; port: number; baud: number; format: string; onReadable: (byteLength: number) => void };
	/** What was written, one entry for each call. */
	readonly sent: number[][] = [];
	/** What can be read, one entry for each read. */
	readonly incoming: number[][] = [];
	/** How often it was asked. */
	reads = 0;
	closed = 0;
	/** What comes back for what is written, in the pieces in which it comes. */
	static reply: (request: number[]) => number[][] = () => [];
	/** Set to refuse what is written, as the driver does without room. */
	static full = false;

	constructor(options: FakeSerial["options"]) {
		if (ports.some((port) => !port.closed && port.options.port === options.port)) throw new RangeError("port in use");
		if (options.format !== "buffer" || !options.onReadable) throw new Error("not as the driver for the ESP32 needs it");
		this.options = options;
		ports.push(this);
	}
	write(data: Uint8Array): void {
		if (this.closed) throw new Error("used after close");
		if (FakeSerial.full) throw new Error("output full");
		this.sent.push([...data]);
		this.incoming.push(...FakeSerial.reply([...data]));
	}
	read(): ArrayBuffer | undefined {
		if (this.closed) throw new Error("used after close");
		this.reads++;
		const bytes = this.incoming.shift();
		return bytes?.length ? Uint8Array.from(bytes).buffer : undefined;
	}
	close(): void {
		this.closed++;
	}
}

/** A frame with the right check: header, id, length, body, check. */
export function frame(id: number, ...body: number[]): number[] {
	const rest = [id, body.length + 1, ...body];
	return [0xff, 0xff, ...rest, 255 - (rest.reduce((sum, byte) => sum + byte, 0) % 256)];
}

/** Puts servos on the wire. @param positions by id; they follow what is written */
export function addServos(positions: Record<number, number>): void {
	FakeSerial.reply = (request) => {
		const [, , id = 0, , instruction, ...rest] = request;
		if (instruction === 0x83 && rest[0] === 42) {
			const target = rest[2] as number;
			if (target in positions) positions[target] = ((rest[3] as number) << 8) | (rest[4] as number);
		}
		const position = positions[id];
		return instruction === 2 && position !== undefined ? [frame(id, 0, position >> 8, position & 255)] : [];
	};
}

/** Nobody answers any more, and no port is open. */
export function resetSerial(): void {
	FakeSerial.reply = () => [];
	FakeSerial.full = false;
	ports.length = 0;
}
