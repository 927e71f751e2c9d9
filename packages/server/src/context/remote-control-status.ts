import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { RemoteControlStatusChangedNotification } from "@quire/protocol";
import type { ServerContext } from "./server-context.ts";
import { service } from "./services.ts";

const installation = service(({ home }: ServerContext) => installationId(home));

/**
 * The status of remote control: off. It needs a service of OpenAI's, which is not used; enabling it fails with the same
 * words as in Codex without a login.
 */
export function remoteControlStatus(server: ServerContext): RemoteControlStatusChangedNotification {
  const id = server.services.get(installation);
  return { status: "disabled", serverName: hostname(), installationId: id, environmentId: null };
}

/**
 * This installation's id, created once where Codex keeps it. Lasts as long as the process where it cannot be stored.
 */
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
