// ECDSA in Moddable's cryptography.

/// <reference path="../../typings/arithmetic.d.ts" />
export { default } from "ecdsa";
