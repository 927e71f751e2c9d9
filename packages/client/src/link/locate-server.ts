import type { LocateRequest } from "../host/host.ts";

/** Finds `codex` and `quire` also where PATH does not have them. Other commands come back as they are. */
export async function locateServer(request: LocateRequest): Promise<readonly string[]> {
  const host = await import("#host");
  return host.locateServer(request);
}
