import { fileURLToPath } from "node:url";

// From here and from the compiled output alike.
const fixture = fileURLToPath(new URL("../../../test/faults/fixtures/app-server.mjs", import.meta.url));

/** The command line of a small app-server; Node runs it, whichever runtime runs the tests. */
export function appServer(...args: readonly string[]): string[] {
  return ["node", fixture, ...args];
}
