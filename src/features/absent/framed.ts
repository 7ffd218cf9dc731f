// Stands for features/framed in a build without it.

export default undefined;
