// Data in flash that a manifest names under `resources`.

import FlashResource from "Resource";

const Resource = FlashResource as unknown as {
	/** A buffer in flash, of which typed arrays are views. @throws URIError when there is none of that name */
	new (name: string): ArrayBuffer;
	exists(name: string): boolean;
};
export default Resource;
