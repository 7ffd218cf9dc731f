export { FakeNeoPixel as default } from "../moddable.js";
