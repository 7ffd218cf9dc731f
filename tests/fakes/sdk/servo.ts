export { FakeServo as default } from "../servo.js";
