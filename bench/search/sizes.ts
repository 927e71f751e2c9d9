export const folders = 1000;
export const filesEach = 100;
/** What is typed, letter by letter: first what nearly every path has, then a name. */
export const typed = ["button", "src/ind", "config ts"];
export const singles = 3;
