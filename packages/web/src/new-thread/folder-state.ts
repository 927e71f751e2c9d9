import { supports } from "@quire/protocol/versions";
import { useCallback, useEffect, useState } from "react";
import type { Actions } from "../state/actions.ts";
import { type HubView, useActions } from "../state/index.ts";

/** Kind of what is at a path: a folder, nothing, a file; unknown while it is looked up, or where the server cannot tell. */
export type FolderState = "folder" | "missing" | "file" | "unknown";

/** Typing on is cheaper than a look for every letter. */
const pauseMs = 200;
const maxSuggestions = 50;

/** The whole path of a folder as it was typed: `~` is the home, and other paths begin in the usual folder. */
export function wholePath(typed: string, { home, cwd }: { readonly home: string; readonly cwd: string }): string {
  const path = typed.trim();
  if (path === "") return cwd;
  if (path === "~" || path.startsWith("~/")) return tidy(`${home}${path.slice(1)}`);
  if (/^(?:\/|[A-Za-z]:|\\\\)/.test(path)) return tidy(path);
  return tidy(`${cwd}/${path}`);
}

/** Without an end that only says that it is a folder. */
const tidy = (path: string): string => (path.length > 1 ? path.replace(/(?<=.)\/+$/, "") : path);

/** Looks at a path on a server's machine. */
export async function lookAt(actions: Actions, hub: HubView, path: string): Promise<FolderState> {
  if (hub.version !== null && supports("fs/getMetadata", hub.version) === false) return "unknown";
  try {
    const { isDirectory } = await actions.request(hub.id, "fs/getMetadata", { path });
    return isDirectory ? "folder" : "file";
  } catch (error) {
    return /no such file|not found|ENOENT/i.test(String(error)) ? "missing" : "unknown";
  }
}

/** Finds out what is at the path that is typed, and the folders that it could become. */
export function useFolder(
  hub: HubView,
  path: string,
): { readonly state: FolderState; readonly folders: readonly string[]; readonly create: () => Promise<void> } {
  const actions = useActions();
  const [found, setFound] = useState<{ readonly path: string; readonly state: FolderState }>();
  const [folders, setFolders] = useState<readonly string[]>([]);
  const ready = hub.state === "ready";
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hub is another object with every thread that it lists
  useEffect(() => {
    if (!ready) return;
    let stale = false;
    const timer = setTimeout(() => {
      void lookAt(actions, hub, path).then((state) => stale || setFound({ path, state }));
      void subfolders(actions, hub.id, path).then((names) => stale || setFolders(names));
    }, pauseMs);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [actions, hub.id, hub.epoch, ready, path]);
  const create = useCallback(async () => {
    await actions.request(hub.id, "fs/createDirectory", { path, recursive: true });
    setFound({ path, state: "folder" });
  }, [actions, hub.id, path]);
  return { state: found?.path === path ? found.state : "unknown", folders, create };
}

/** The folders beside and below what is typed; hidden ones only where a dot was typed. */
async function subfolders(actions: Actions, hub: string, path: string): Promise<readonly string[]> {
  const slash = path.lastIndexOf("/");
  const begun = path.slice(slash + 1);
  const list = async (parent: string): Promise<readonly string[]> => {
    const { entries } = await actions.request(hub, "fs/readDirectory", { path: parent === "" ? "/" : parent });
    return entries
      .filter(({ isDirectory, fileName }) => isDirectory && (begun.startsWith(".") || !fileName.startsWith(".")))
      .map(({ fileName }) => `${parent === "/" ? "" : parent}/${fileName}`);
  };
  const tries = await Promise.allSettled([list(path), list(path.slice(0, Math.max(0, slash)))]);
  const all = tries.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  return all.toSorted().slice(0, maxSuggestions);
}
