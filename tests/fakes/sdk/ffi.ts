export { FakeFfi as default } from "../moddable.js";
