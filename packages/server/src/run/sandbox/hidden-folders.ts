import { join } from "node:path";
import { readableHomeFolders } from "../../workspace-files/hidden-files.ts";
import type { Home } from "../../workspace-files/homes.ts";
import { realPath } from "./existing-path.ts";

/** A folder whose content no command sees. */
export interface Hidden {
  readonly folder: string;
  /** Folders in it that stay readable, with their sources: one may be a link. */
  readonly shown: readonly { readonly at: string; readonly source: string }[];
}

/** The homes that are there. They are hidden as folders, for a file in them may be replaced at any moment. */
export function hiddenFolders(homes: readonly Home[]): Hidden[] {
  const found = new Set(homes.filter(({ exists }) => exists).map(({ path }) => path));
  return [...found].map((folder) => ({
    folder,
    shown: readableHomeFolders.flatMap((name) => {
      const [source] = realPath(join(folder, name)) ?? [];
      return source === undefined ? [] : [{ at: join(folder, name), source }];
    }),
  }));
}
