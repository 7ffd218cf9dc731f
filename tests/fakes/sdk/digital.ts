export { FakeDigital as default } from "../moddable.js";
