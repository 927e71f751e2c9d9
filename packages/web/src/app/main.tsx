// A file of its own: the bundler puts what workers share with the page into the entry, and a worker must neither start
// the page nor load all of it.
if (typeof document !== "undefined") void import("./boot.tsx").then(({ boot }) => boot());
