/** Program that makes a bundle for the user's next starts: `bun build.ts HOME`. Prints the outcome. */
import { buildMs, keepBundle } from "./keep-bundle.ts";

// Nobody waits for it, so nobody else would end it.
setTimeout(() => process.exit(1), buildMs).unref();
console.log(await keepBundle(process.argv[2] ?? ""));
