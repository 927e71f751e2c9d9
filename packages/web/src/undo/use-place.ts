import { useMemo } from "react";
import { scriptRunner } from "../state/checkpoints.ts";
import { type Actions, useActions } from "../state/index.ts";
import { undoneWords } from "../words/words.ts";
import type { ServerFiles } from "./files-by-turns.ts";
import type { UndoPlace } from "./undo-plan.ts";

/** The machine and folder of a thread. */
export function useUndoPlace(hub: string, cwd: string): UndoPlace {
  const actions = useActions();
  return useMemo(
    () => ({ run: scriptRunner((params) => actions.exec(hub, params), cwd), files: filesOf(actions, hub), cwd }),
    [actions, hub, cwd],
  );
}

function filesOf(actions: Actions, hub: string): ServerFiles {
  return {
    read: async (path) => {
      const isThere = await actions.request(hub, "fs/getMetadata", { path }).then(
        ({ isFile }) => isFile,
        () => false,
      );
      if (!isThere) return null;
      const { dataBase64 } = await actions.request(hub, "fs/readFile", { path });
      const bytes = Uint8Array.from(atob(dataBase64), (each) => each.charCodeAt(0));
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    },
    write: async (path, text) => {
      const dataBase64 = btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
      await actions.request(hub, "fs/createDirectory", {
        path: path.replace(/[\\/][^\\/]*$/, "") || "/",
        recursive: true,
      });
      await actions.request(hub, "fs/writeFile", { path, dataBase64 });
    },
    remove: async (path) => {
      await actions.request(hub, "fs/remove", { path, recursive: false, force: true });
    },
    requireBelow: async (folder, path) => {
      const parts = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split("/") : [".."];
      if (parts.includes("..")) throw new Error(undoneWords.notThreadsFolderNothingUndone(path));
      for (const [index] of parts.entries()) {
        const each = `${folder}/${parts.slice(0, index + 1).join("/")}`;
        const { isSymlink } = await actions
          .request(hub, "fs/getMetadata", { path: each })
          .catch(() => ({ isSymlink: false }));
        if (isSymlink) throw new Error(undoneWords.linkNowNothingUndone(each));
      }
    },
  };
}
