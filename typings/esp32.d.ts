// Moddable's modules that only an ESP32 has; src/sdk types what is used of them.

declare module "wifi" {
	const WiFi: object;
	export default WiFi;
}

declare module "embedded:storage/flash" {
	const flash: object;
	export default flash;
}

declare module "embedded:update" {
	const Update: object;
	export default Update;
}
