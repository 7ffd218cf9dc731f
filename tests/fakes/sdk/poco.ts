export { FakePoco as default } from "../poco.js";
