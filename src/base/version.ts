// The firmware's version; a test holds it equal to the one in package.json.

/** As in semantic versioning. */
export const VERSION = "0.2.0";
