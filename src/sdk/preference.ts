// Moddable's small store of values that survive a restart.

export { default } from "preference";
