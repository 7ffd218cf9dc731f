// Arithmetic modulo a large number in Moddable's cryptography.

/// <reference path="../../typings/arithmetic.d.ts" />
export { default } from "modular";
