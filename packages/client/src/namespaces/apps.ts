import type { AppListUpdatedNotification } from "@quire/protocol";
import { type Call, caller, type List } from "../calls/call.ts";
import type { ServerPort } from "../port/server-port.ts";

/** Apps (connectors) that the user can bring into a thread. */
export interface Apps {
  /** Lists the apps there are. */
  readonly list: List<"app/list">;
  /** Lists those that are installed. */
  readonly installed: Call<"app/installed">;
  /** Reads some of them in full. */
  readonly read: Call<"app/read">;
  /** Listens to changes of the list; the returned function stops that. */
  onListUpdated(listener: (params: AppListUpdatedNotification) => void): () => void;
}

/** The `apps` group of a server. */
export function appsOf(port: ServerPort): Apps {
  const { call, list } = caller(port);
  return {
    list: list("app/list"),
    installed: call("app/installed"),
    read: call("app/read"),
    onListUpdated: (listener) => port.onNotification("app/list/updated", listener),
  };
}
