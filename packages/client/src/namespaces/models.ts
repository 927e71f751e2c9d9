import { type Call, caller, type List } from "../calls/call.ts";
import type { ServerPort } from "../port/server-port.ts";

/** The models that can be chosen. */
export interface Models {
  /** Lists models, with `includeHidden` also those that no menu shows. */
  readonly list: List<"model/list">;
  /** Lists presets of how model and user work together. Experimental. */
  readonly collaborationModes: Call<"collaborationMode/list">;
  /** Reads the abilities of the configured provider. */
  readonly providerCapabilities: Call<"modelProvider/capabilities/read">;
}

/** The `models` group of a server. */
export function modelsOf(port: ServerPort): Models {
  const { call, list } = caller(port);
  return {
    list: list("model/list"),
    collaborationModes: call("collaborationMode/list"),
    providerCapabilities: call("modelProvider/capabilities/read"),
  };
}
