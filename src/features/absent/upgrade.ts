// Stands for features/upgrade in a build without it.

export default undefined;
