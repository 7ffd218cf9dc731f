// Moddable's clock: it can be set.

export { default } from "time";
