import type { ServerNotifications } from "@quire/protocol";
import type { ModelCall } from "./model-call.ts";

/** Observes a thread's notifications and its requests to the model. */
export interface Observer {
  <M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void;
  readonly model?: (call: ModelCall) => void;
}
