// Stands for features/resources in a build without it.

export default undefined;
