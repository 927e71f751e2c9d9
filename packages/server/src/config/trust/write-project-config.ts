import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorMessage } from "../../lib/error-message.ts";
import { PinnedFolders } from "../../workspace-files/pinned-folders.ts";
import { realPathOf } from "../../workspace-files/real-path.ts";
import { ConfigError } from "../config-error.ts";
import type { OpenConfig } from "../open-config.ts";
import { type ConfigWrite, userConfig, writeConfig } from "../write-config.ts";
import { textsIn } from "./fingerprint.ts";
import { textWords } from "./words.ts";

/**
 * Changes a project's config for its user. If it was trusted, it stays so with exactly this change and the scripts that
 * it names; if not, it does not become so.
 * @param dotCodexFolder The folder of the config. A link in its place is not followed: it may lead out of the project.
 */
export function writeProjectConfig(config: OpenConfig, dotCodexFolder: string, edits: ConfigWrite["edits"]): void {
  const cwd = dirname(dotCodexFolder);
  const place = makeOwnFolder(cwd, basename(dotCodexFolder));
  const project = config.projectOf({ cwd });
  const { values: before, version } = userConfig(place);
  // Nobody else's change is taken for the user's.
  const { values: after } = writeConfig(place, { edits, expectedVersion: version });
  const accepted = config.trust.acceptConfig(project, { before, after });
  const words = edits.flatMap(({ value }) => [...textsIn(value)]).flatMap((text) => [...textWords(text)]);
  if (accepted && words.length > 0) config.trust.trustScripts(words, [cwd]);
}

/** Makes a missing folder in a project. Returns its real path. */
function makeOwnFolder(parent: string, name: string): string {
  using folders = new PinnedFolders();
  const folder = join(realPathOf(parent), name);
  try {
    folders.make(folder, []);
  } catch (error) {
    const why = errorMessage(error);
    throw new ConfigError(`${folder} cannot be written: ${why}. Make it a folder of the project itself.`);
  }
  const file = join(folder, "config.toml");
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new ConfigError(`${file} is a link, which is not followed for writing. Replace it by the file itself.`);
  return folder;
}
