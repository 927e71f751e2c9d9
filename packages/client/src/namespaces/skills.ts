import type { SkillsChangedNotification } from "@quire/protocol";
import { type Call, caller } from "../calls/call.ts";
import type { ServerPort } from "../port/server-port.ts";

/** Skills that the model can use. */
export interface Skills {
  /** Lists the skills that hold in one or more folders. */
  readonly list: Call<"skills/list">;
  /** Switches a skill on or off for the user. */
  readonly writeConfig: Call<"skills/config/write">;
  /** Sets further folders to look for skills in. */
  readonly setExtraRoots: Call<"skills/extraRoots/set">;
  /** Listens to changes of skill files; the returned function stops that. */
  onChanged(listener: (params: SkillsChangedNotification) => void): () => void;
}

/** The `skills` group of a server. */
export function skillsOf(port: ServerPort): Skills {
  const { call } = caller(port);
  return {
    list: call("skills/list"),
    writeConfig: call("skills/config/write"),
    setExtraRoots: call("skills/extraRoots/set"),
    onChanged: (listener) => port.onNotification("skills/changed", listener),
  };
}
