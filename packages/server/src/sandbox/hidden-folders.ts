import { join } from "node:path";
import { realPath } from "./real-path.ts";
import type { SandboxOptions } from "./sandbox-launcher.ts";

/** A folder whose content no command sees. */
export interface Hidden {
  readonly folder: string;
  /** Folders in it that can be read nevertheless, and what is shown there: one may be a link. */
  readonly shown: readonly { readonly at: string; readonly source: string }[];
}

/** What commands are told to read in a home: skills, and what plugins brought. */
const readable = ["skills", "plugins/cache"];

/**
 * The homes of this server, and of a Codex beside it: keys, tokens, configuration, the words of all threads. They are
 * hidden as folders, for a file in them may be replaced at any moment.
 */
export function hiddenFolders({ home, env }: SandboxOptions): Hidden[] {
  const homes = [
    home,
    env.CODEX_HOME,
    env.QUIRE_HOME,
    ...(env.HOME ? [join(env.HOME, ".codex"), join(env.HOME, ".quire")] : []),
  ];
  const found = new Set(homes.flatMap((path) => (path ? (realPath(path) ?? []) : [])));
  return [...found].map((folder) => ({
    folder,
    shown: readable.flatMap((name) => {
      const [source] = realPath(join(folder, name)) ?? [];
      return source === undefined ? [] : [{ at: join(folder, name), source }];
    }),
  }));
}
