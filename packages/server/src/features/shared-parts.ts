import type { openShared } from "./open-shared.ts";

let loaded: typeof openShared | undefined;

/** Loads what threads in a database need, which most servers never do. To be called before the first request is served. */
export async function loadSharedParts(): Promise<void> {
  loaded ??= (await import("./open-shared.ts")).openShared;
}

/** The parts, once they are loaded. */
export function sharedParts(): typeof openShared {
  if (loaded === undefined) throw new Error("the parts for threads in a database are not loaded");
  return loaded;
}
