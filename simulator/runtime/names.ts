// "simulator/names" of a board that gives its parts no names.

const names: { readonly [place: string]: object } = Object.freeze({});
export default names;
