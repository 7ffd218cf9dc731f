// Moddable's camera, which the registry's package of typings lacks; src/sdk/camera.ts says what is used of it.

declare module "embedded:io/image/in/camera" {
	const Camera: unknown;
	export default Camera;
}
