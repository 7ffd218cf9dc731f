// Stands for features/tls in a build without it.

export default undefined;
