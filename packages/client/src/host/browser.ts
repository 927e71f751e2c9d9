import { ConnectionError, type Transport } from "@quire/jsonrpc";
import type { LocateRequest, SpawnRequest } from "./host.ts";

/** A page cannot start a process. */
export function spawnServer(_request: SpawnRequest): Transport {
  throw new ConnectionError("spawn-failed", "A browser cannot start an app-server: use CodexClient.connect(url)");
}

/** A page has no programs. */
export function locateServer({ command }: LocateRequest): readonly string[] {
  return command;
}

/** A page has no files. */
export function logWire(_transport: Transport, _file: string): Transport {
  throw new ConnectionError("spawn-failed", "A browser cannot write a wire log: listen to the notification event");
}
