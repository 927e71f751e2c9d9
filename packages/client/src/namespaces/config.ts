import { type Call, caller, type List } from "../calls/call.ts";
import type { ServerPort } from "../port/server-port.ts";

/** The server's configuration. */
export interface Config {
  /** Reads what is in force, with `includeLayers` also where each value comes from. */
  readonly read: Call<"config/read">;
  /** Writes one value into the user's `config.toml`. */
  readonly write: Call<"config/value/write">;
  /** Writes several values at once, all or none. */
  readonly batchWrite: Call<"config/batchWrite">;
  /** Reads what an administrator demands. */
  readonly requirements: Call<"configRequirements/read">;
  /** Lists feature flags. */
  readonly features: List<"experimentalFeature/list">;
  /** Switches features on or off until the server ends. */
  readonly setFeatures: Call<"experimentalFeature/enablement/set">;
  /** Lists permission profiles. */
  readonly permissionProfiles: List<"permissionProfile/list">;
}

/** The `config` group of a server. */
export function configOf(port: ServerPort): Config {
  const { call, bare, list } = caller(port);
  return {
    read: call("config/read"),
    write: call("config/value/write"),
    batchWrite: call("config/batchWrite"),
    requirements: bare("configRequirements/read"),
    features: list("experimentalFeature/list"),
    setFeatures: call("experimentalFeature/enablement/set"),
    permissionProfiles: list("permissionProfile/list"),
  };
}
