// Moddable's TextDecoder.

export { default } from "text/decoder";
