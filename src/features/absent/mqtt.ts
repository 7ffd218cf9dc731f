// Stands for features/mqtt in a build without it.

export default undefined;
