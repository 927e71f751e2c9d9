import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { RemoteControlStatusChangedNotification } from "@quire/protocol";
import type { ServerContext } from "./server-context.ts";
import { service } from "./services.ts";

const installation = service(({ home }: ServerContext) => installationId(home));

/** Remote control is off: it needs a service of OpenAI's. Enabling it fails as in Codex without a login. */
export function remoteControlStatus(server: ServerContext): RemoteControlStatusChangedNotification {
  const id = server.services.get(installation);
  return { status: "disabled", serverName: hostname(), installationId: id, environmentId: null };
}

/** This installation's id, stored where Codex keeps it, or new for each process where it cannot be. */
function installationId(home: string): string {
  const path = join(home, "installation_id");
  const read = () => readFileSync(path, "utf8").trim();
  try {
    return read();
  } catch {
    const made = crypto.randomUUID();
    try {
      // The second of two writers takes the first one's id.
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
