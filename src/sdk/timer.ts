// Moddable's one-shot and repeating timers.

export { default } from "timer";
