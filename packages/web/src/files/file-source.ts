import { useMemo } from "react";
import { maxOutputBytes } from "../scripts/run-script.ts";
import { type Actions, useActions } from "../state/index.ts";
import { fileWords } from "../words/words.ts";

/** A file or folder in a folder. */
export interface Entry {
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
}

/** The files of a server's machine. */
export interface FileSource {
  /** Folders first, by name. */
  list(folder: string): Promise<readonly Entry[]>;
  /** A file's bytes in base64; rejects with words to show where it cannot be shown. */
  read(path: string): Promise<string>;
  /** Paths below a folder that match a query, best first, relative to it. */
  search(query: string, folder: string): Promise<readonly string[]>;
}

/** Larger files are not shown. */
const maxBytes = 4 * 1024 * 1024;
const maxHits = 50;

/** The files of a hub's machine. */
export function useFileSource(hub: string): FileSource {
  const actions = useActions();
  return useMemo(() => fileSource(actions, hub), [actions, hub]);
}

function fileSource(actions: Actions, hub: string): FileSource {
  return {
    list: async (folder) => {
      const { entries } = await actions.request(hub, "fs/readDirectory", { path: folder });
      return entries
        .map(({ fileName, isDirectory }) => ({
          name: fileName,
          path: `${folder === "/" ? "" : folder}/${fileName}`,
          isFolder: isDirectory,
        }))
        .sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || a.name.localeCompare(b.name));
    },
    read: async (path) => {
      const { isFile } = await actions.request(hub, "fs/getMetadata", { path });
      if (!isFile) throw new Error(fileWords.notFile);
      const size = await sizeOf(actions, hub, path);
      if (size !== null && size > maxBytes) throw new Error(fileWords.tooLarge(`${Math.round(size / 1_048_576)} MiB`));
      return (await actions.request(hub, "fs/readFile", { path })).dataBase64;
    },
    search: async (query, folder) => {
      const found = await actions.searchFiles(hub, query, folder);
      return found.slice(0, maxHits).map(({ path }) => path);
    },
  };
}

/** The protocol does not say how large a file is; null where there is no shell to ask. */
async function sizeOf(actions: Actions, hub: string, path: string): Promise<number | null> {
  const command = ["/bin/sh", "-c", 'wc -c < "$1"', "sh", path];
  const limits = { outputBytesCap: maxOutputBytes, timeoutMs: 10_000 };
  const params = { command, cwd: "/", ...limits, sandboxPolicy: { type: "dangerFullAccess" } } as const;
  const { exitCode, stdout } = await actions.exec(hub, params).catch(() => ({ exitCode: -1, stdout: "" }));
  return exitCode === 0 ? Number(stdout.trim()) : null;
}
