// Moddable's digests.

export { Digest } from "crypt";
