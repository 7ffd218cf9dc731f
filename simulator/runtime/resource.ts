// "Resource": data that a manifest puts into flash; here what the machine was started with.
import { callHost, hosted } from "./bridge.js";

/** How the names of fonts end. What is in one is left out: simulated displays draw no letters. */
const FONT = ".bf4";

/** The bytes of a resource. */
class Resource extends ArrayBuffer {
	/** @throws URIError when there is none of that name */
	constructor(name: string) {
		if (name.endsWith(FONT)) {
			super(0);
			return;
		}
		if (!Resource.exists(name)) throw new URIError(`Resource not found: ${name}`);
		const { bytes } = callHost(["resource", name]);
		super(bytes.length);
		new Uint8Array(this).set(bytes);
	}

	static exists(name: string): boolean {
		return name.endsWith(FONT) || (hosted && callHost(["resource", name]).header[0] === "bytes");
	}
}

export default Resource;
