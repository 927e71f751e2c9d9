import { boot } from "./boot.tsx";

// The bundler puts what workers share with the page into this file, and a worker must not start the page.
if (typeof document !== "undefined") boot();
