import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { TrackerError } from "../../tracker/tracker-error.ts";
import type { JsonObject } from "../records/normalize.ts";
import { type ProviderEnv, textSetting } from "../records/settings.ts";

/** Validated `tracker.provider` settings for beads. */
export interface BeadsSettings {
  /** Folder in which `bd` finds its database. */
  readonly folder: string;
  /** Name or path of the program. */
  readonly command: string;
  /** Only issues of this assignee are worked on. */
  readonly assignee: string | null;
}

/** Reads and checks `tracker.provider`. */
export function beadsSettings(provider: JsonObject, baseDir: string, env: ProviderEnv): BeadsSettings {
  const path = textSetting(provider, "path", env) ?? ".";
  const home = path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
  const command = textSetting(provider, "command", env) ?? "bd";
  if (command.includes("/") && !isAbsolute(command)) {
    const message = "tracker.provider.command must be a name on the PATH or an absolute path.";
    throw new TrackerError("invalid_tracker_config", message);
  }
  return {
    folder: isAbsolute(home) ? resolve(home) : resolve(baseDir, home),
    command,
    assignee: textSetting(provider, "assignee", env),
  };
}
