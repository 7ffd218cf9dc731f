export { FakeSerial as default } from "../serial.js";
