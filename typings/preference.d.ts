// Moddable's small persistent store (modules/files/preference), as far as this project uses it.

declare module "preference" {
	type Value = string | number | boolean | ArrayBuffer;

	/** On ESP32 a domain and a key have at most 15 characters; numbers are whole there. */
	const Preference: {
		get(domain: string, key: string): Value | undefined;
		set(domain: string, key: string, value: Value): void;
		delete(domain: string, key: string): void;
		keys(domain: string): string[];
	};
	export default Preference;
}
