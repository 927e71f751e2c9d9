import { type Call, caller, type List } from "../calls/call.ts";
import type { ServerPort } from "../port/server-port.ts";

/** The models that can be chosen. Called as a function it lists them. */
export interface Models extends List<"model/list"> {
  /** Lists models, with `includeHidden` also those that no menu shows. */
  readonly list: List<"model/list">;
  /** Lists presets of how model and user work together. Experimental. */
  readonly collaborationModes: Call<"collaborationMode/list">;
  /** What the configured provider can do. */
  readonly providerCapabilities: Call<"modelProvider/capabilities/read">;
}

/** The `models` group of a server. */
export function modelsOf(port: ServerPort): Models {
  const { call, list } = caller(port);
  const listModels = list("model/list");
  const all: List<"model/list"> = (...args) => listModels(...args);
  return Object.assign(all, {
    list: listModels,
    collaborationModes: call("collaborationMode/list"),
    providerCapabilities: call("modelProvider/capabilities/read"),
  });
}
