export const folders = 1000;
export const filesEach = 100;
/** Queries, typed letter by letter: first one that nearly every path matches, then a name. */
export const typed = ["button", "src/ind", "config ts"];
export const singles = 3;
