export { default } from "../../../simulator/runtime/hardware/parse-bmf.js";
