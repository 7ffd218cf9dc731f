// Reads from the C file of a link (mc.xs.c) how many bytes of bytecode each module takes in flash.

/**
 * A module that runs on the device has its code in one array. Of a module that ran at link time only the functions are left, each as a
 * string in its slot of the heap; the slot behind it, the function's home, names the module.
 * @param {string} source
 * @returns {Map<string, number>} bytes by the names of modules
 */
export function codeByModule(source) {
	/** @type {Map<string, number>} */
	const sizes = new Map();
	const add = (/** @type {string} */ module, /** @type {number} */ size) => sizes.set(module, (sizes.get(module) ?? 0) + size);
	for (const [, size, module = ""] of source.matchAll(/^\t\{ \w+, \w+, \d+, \(txS1\*\)gxCode\d+, (\d+), \w+, \d+, "([^"]+)"/gm))
		add(module, Number(size));

	const slots = new Map([...source.matchAll(/^\/\* (\d+) \*\/\t\{ (.*)$/gm)].map(([, index = "", slot = ""]) => [index, slot]));
	const keys = new Map(
		[...source.matchAll(/\.ID = (\w+), [^}]*XS_KEY_X_KIND\}, \.value = \{ \.key = \{ "([^"]*)"/g)].map(([, id, name = ""]) => [id, name]),
	);
	const next = (/** @type {string} */ slot) => slots.get(/^\(txSlot\*\)&gxHeap\[(\d+)\]/.exec(slot)?.[1] ?? "");
	for (const slot of slots.values()) {
		const code = /XS_CODE_X_KIND\}, \.value = \{ \.code = \{ \(txByte\*\)"((?:[^"\\]|\\.)*)"/.exec(slot)?.[1];
		if (code === undefined) continue;
		const module = /XS_HOME_KIND\}, \.value = \{ \.home = \{ [^,]+, \(txSlot\*\)&gxHeap\[(\d+)\]/.exec(next(slot) ?? "")?.[1];
		let id;
		for (let at = slots.get(module ?? ""); at !== undefined && id === undefined; at = next(at))
			id = /XS_MODULE_KIND\}, \.value = \{ \.module = \{ \w+, (\d+)/.exec(at)?.[1];
		add(keys.get(id) ?? "", lengthOf(code));
	}
	return sizes;
}

/** How many bytes a C string has. @param {string} text */
function lengthOf(text) {
	return text.replace(/\\(x[0-9a-f]{2}|[0-7]{1,3}|.)/g, ".").length;
}
