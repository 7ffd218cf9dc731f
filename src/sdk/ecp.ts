// Points on the elliptic curves of Moddable's cryptography.

/// <reference path="../../typings/arithmetic.d.ts" />
export { default } from "ecp";
