// Moddable's counters of the running machine (modules/base/instrumentation), as far as this project uses them.

declare module "instrumentation" {
	type Name = "System Free Memory" | "XS Slot Heap Used" | "XS Chunk Heap Used" | "XS Stack Used" | "XS Garbage Collection Count" | "Network Sockets";

	const Instrumentation: {
		/** The number of a counter for `get`; undefined where the target has none of that name. */
		map(name: Name): number | undefined;
		/** A counter's value. Sizes are in bytes. */
		get(index: number | undefined): number | undefined;
		name(index: number | undefined): string | undefined;
	};
	export default Instrumentation;
}
