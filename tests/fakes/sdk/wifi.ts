export { FakeWifi as default } from "../moddable.js";
