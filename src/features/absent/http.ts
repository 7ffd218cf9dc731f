// Stands for features/http in a build without it.

export default undefined;
