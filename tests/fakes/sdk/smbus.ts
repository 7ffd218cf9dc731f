export { FakeSmbus as default } from "../moddable.js";
