// Stands for features/configuration in a build without it.

export default undefined;
