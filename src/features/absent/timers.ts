// Stands for features/timers in a build without it.

export default undefined;
