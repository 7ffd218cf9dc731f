// "text/decoder": UTF-8 to text, as the engine has it.
export { TextDecoder as default } from "./frame.js";
