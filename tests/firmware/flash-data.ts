// Preloaded, so that on Moddable this object lives in flash, where JSON.stringify refuses it.

export const STATUS = Object.freeze({ deep: Object.freeze([1, Object.freeze({ two: "zwei" })]) });
