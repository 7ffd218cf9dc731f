// What comes after the turn that runs, on Node and in browsers.

declare const setImmediate: ((callback: () => void) => void) | undefined;

/** Calls back in a turn of its own, as soon as there is one; in the order of the calls. */
export const nextTurn: (callback: () => void) => void = typeof setImmediate === "function" ? setImmediate : overChannel();

/** Unlike a browser's timers, a message waits for nothing. */
function overChannel(): typeof nextTurn {
	const { port1, port2 } = new MessageChannel();
	const waiting: (() => void)[] = [];
	// Node's types do not have it.
	Object.assign(port1, { onmessage: () => waiting.shift()?.() });
	return (callback) => {
		waiting.push(callback);
		port2.postMessage(undefined);
	};
}
