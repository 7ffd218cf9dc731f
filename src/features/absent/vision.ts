// Stands for features/vision in a build without it.

export default undefined;
