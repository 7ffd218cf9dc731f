export { FakeDisplay as default } from "../poco.js";
