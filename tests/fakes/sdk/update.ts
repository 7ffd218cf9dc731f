export { fakeUpdate as default } from "../moddable.js";
