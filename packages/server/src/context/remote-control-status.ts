import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { RemoteControlStatusChangedNotification } from "@quire/protocol";
import type { ServerContext } from "./server-context.ts";
import { service } from "./services.ts";

const installation = service(({ home }: ServerContext) => installationId(home));

/**
 * How this server is reached from elsewhere: not at all. Remote control goes over a service of Codex's vendor, which is
 * not used; who may enable it is told so in the same words as by Codex without a login there.
 */
export function remoteControlStatus(server: ServerContext): RemoteControlStatusChangedNotification {
  const id = server.services.get(installation);
  return { status: "disabled", serverName: hostname(), installationId: id, environmentId: null };
}

/** What this installation is known by; made once, kept where Codex keeps it. Where it cannot be, it is this process's. */
function installationId(home: string): string {
  const path = join(home, "installation_id");
  const read = () => readFileSync(path, "utf8").trim();
  try {
    return read();
  } catch {
    const made = crypto.randomUUID();
    try {
      // Whoever comes second takes the one that is there.
      writeFileSync(path, made, { flag: "wx", mode: 0o600 });
      return made;
    } catch {
      try {
        return read();
      } catch {
        return made;
      }
    }
  }
}
