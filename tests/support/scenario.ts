// Runs scenarios one after the other on any machine and reports them as `ok …` or `not ok …` lines.

import Timer from "timer";

/** What a scenario may use. */
export interface Check {
	/** The port on 127.0.0.1 where the peer listens. */
	readonly port: number;
	/** Ends the scenario as failed unless the condition holds. */
	that(condition: boolean, words: string): void;
	/** Ends the scenario as failed unless both are the same, compared as JSON. */
	same(found: unknown, expected: unknown, words?: string): void;
	/** A line of its own in the report. */
	note(words: string): void;
}

/** A promise of the product, and how to see that it is kept. */
export interface Scenario {
	/** The promise, in words. */
	readonly title: string;
	readonly limitMs?: number;
	run(check: Check): Promise<void>;
}

const LIMIT_MS = 30_000;

/** Runs everything, then writes `DONE n ok, m failed`. */
export async function runScenarios(scenarios: readonly Scenario[], port: number): Promise<void> {
	let passed = 0;
	let failed = 0;
	for (const scenario of scenarios) {
		const notes: string[] = [];
		const problem = await runOne(scenario, port, notes);
		for (const note of notes) trace(`# ${note}\n`);
		if (problem === undefined) {
			passed++;
			trace(`ok ${passed + failed} ${scenario.title}\n`);
		} else {
			failed++;
			trace(`not ok ${passed + failed} ${scenario.title}: ${problem}\n`);
		}
	}
	trace(`DONE ${passed} ok, ${failed} failed\n`);
}

/** What a scenario checks with. */
export function checkOf(port: number, note: (words: string) => void = () => {}): Check {
	return {
		port,
		note,
		that(condition, words) {
			if (!condition) throw new Error(words);
		},
		same(found, expected, words) {
			const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
			if (left !== right) throw new Error(`${words ? `${words}: ` : ""}${left} where ${right} was due`);
		},
	};
}

function runOne(scenario: Scenario, port: number, notes: string[]): Promise<string | undefined> {
	return new Promise((resolve) => {
		const limitMs = scenario.limitMs ?? LIMIT_MS;
		const limit = Timer.set(() => resolve(`not done within ${limitMs} ms`), limitMs);
		const check = checkOf(port, (words) => notes.push(words));
		const end = (problem: string | undefined) => {
			Timer.clear(limit);
			resolve(problem);
		};
		Promise.resolve()
			.then(() => scenario.run(check))
			.then(
				() => end(undefined),
				(thrown) => end(String(thrown)),
			);
	});
}
