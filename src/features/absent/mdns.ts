// Stands for features/mdns in a build without it.

export default undefined;
