// Stands for features/setup in a build without it.

export default undefined;
