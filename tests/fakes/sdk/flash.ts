export { fakeFlash as default } from "../moddable.js";
