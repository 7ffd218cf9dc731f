// A value that parts of the page are drawn from, and drawn again when it changes.

import { useLayoutEffect, useState } from "preact/hooks";

export class Store<T> {
	#value: T;
	readonly #listeners = new Set<() => void>();

	constructor(value: T) {
		this.#value = value;
	}

	get value(): T {
		return this.#value;
	}

	set value(value: T) {
		if (Object.is(value, this.#value)) return;
		this.#value = value;
		for (const listener of this.#listeners) listener();
	}

	/** @returns ends the listening */
	listen(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}
}

/** The value of a store, for a component that is drawn again with each change. */
export function useStore<T>(store: Store<T>): T {
	const [, setCount] = useState(0);
	useLayoutEffect(() => store.listen(() => setCount((count) => count + 1)), [store]);
	return store.value;
}
