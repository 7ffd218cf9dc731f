// What a program tells the person at the terminal, line by line, around a prompt that may be open.

import { clearLine, moveCursor } from "node:readline";
import { Problem } from "../cli/program.js";
import { createPalette, type Palette } from "../cli/terminal.js";

/** Where a program writes; a prompt may stand on the last line meanwhile. */
export class Transcript {
	readonly palette: Palette;
	/** Is called around each line: takes a standing prompt away and brings it back. */
	around: { before(): void; after(): void } | undefined;
	readonly #stream: NodeJS.WriteStream;
	#held: string[] | undefined;
	/** Is the line of `redraw` the last one? */
	#redrawn = false;

	constructor(stream: NodeJS.WriteStream = process.stdout) {
		this.#stream = stream;
		this.palette = createPalette(stream);
	}

	/** In columns; 100 where the output is no terminal. */
	get width(): number {
		return this.#stream.isTTY ? Math.max(40, this.#stream.columns || 80) : 100;
	}

	line(text = ""): void {
		if (this.#held) {
			this.#held.push(text);
			return;
		}
		this.#redrawn = false;
		this.around?.before();
		this.#stream.write(`${text}\n`);
		this.around?.after();
	}

	/** Is there a terminal, on which a line can be drawn again? */
	get live(): boolean {
		return this.#stream.isTTY === true;
	}

	/** Writes a line, over the one of the last `redraw` if nothing else has been written since. */
	redraw(text: string): void {
		const over = this.#redrawn && !this.#held;
		if (over) {
			this.around?.before();
			moveCursor(this.#stream, 0, -1);
			clearLine(this.#stream, 0);
			this.#stream.write(`${text}\n`);
			this.around?.after();
		} else this.line(text);
		this.#redrawn = this.live;
	}

	/** Keeps the lines that come while `work` runs, and writes them after what it resolves with. */
	async leadWith<T>(work: Promise<T>, headline: (value: T) => string): Promise<T> {
		this.#held = [];
		let first: string | undefined;
		try {
			const value = await work;
			first = headline(value);
			return value;
		} finally {
			const held = this.#held ?? [];
			this.#held = undefined;
			for (const line of first === undefined ? held : [first, ...held]) this.line(line);
		}
	}
}

/** Why a device did not start, in words for the person at the keyboard. */
export function startFailure(error: unknown, board: string): Problem {
	const reason = error instanceof Error ? error.message : String(error);
	if (!reason.includes("which the simulator does not have")) return new Problem(`the device did not start: ${reason}`);
	return new Problem(`board ${board} needs its own hardware and cannot run here; npm run flash -- ${board} puts it on a device\n${reason}`);
}
