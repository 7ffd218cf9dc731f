export { FakeAudioOut as default } from "../moddable.js";
