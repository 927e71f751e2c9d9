import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { RpcError } from "@quire/jsonrpc";
import type { Handlers } from "../processor.ts";
import { invalidRequest } from "../rpc-errors.ts";

/**
 * Remote control goes over a service of Codex's vendor, which this server does not use: it is always off, and what would
 * need it is refused as Codex refuses it to who is not signed in there.
 */
export const handlers: Handlers = {
  "remoteControl/status/read": (_, { server }) => ({
    status: "disabled",
    serverName: hostname(),
    installationId: installationId(server.home),
    environmentId: null,
  }),
  "remoteControl/enable": () => refuse(needsAccount()),
  "remoteControl/disable": () => refuse(needsAccount()),
  "remoteControl/client/list": () => refuse(needsAccount()),
  "remoteControl/client/revoke": () => refuse(needsAccount()),
  "remoteControl/pairing/start": () => refuse(needsEnabling()),
  "remoteControl/pairing/status": () => refuse(needsEnabling()),
};

const needsAccount = () => invalidRequest("remote control requires ChatGPT authentication");
const needsEnabling = () => invalidRequest("remote control pairing requires remote control to be enabled");

function refuse(error: RpcError): never {
  throw error;
}

/** What this installation is known by; made once, kept where Codex keeps it. */
function installationId(home: string): string {
  const path = join(home, "installation_id");
  const read = () => readFileSync(path, "utf8").trim();
  try {
    return read();
  } catch {
    const made = crypto.randomUUID();
    try {
      // Whoever comes second takes the one that is there.
      writeFileSync(path, made, { flag: "wx" });
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
