import type { UserInput } from "@quire/protocol";
import { type ReactNode, useEffect, useState } from "react";
import { scriptRunner } from "../state/checkpoints.ts";
import type { Actions, HubView } from "../state/index.ts";
import { useActions } from "../state/react.tsx";
import { Switch } from "../ui/index.ts";
import { worktreeWords } from "../words/words.ts";
import { lookAt } from "./folder-state.ts";

interface WorktreeSwitchProps {
  readonly hub: HubView;
  readonly cwd: string;
  readonly apart: boolean;
  readonly onApart: (apart: boolean) => void;
}

/** Lets a thread begin in a worktree of its own, where its folder is in a repository. */
export function WorktreeSwitch({ hub, cwd, apart, onApart }: WorktreeSwitchProps): ReactNode {
  const actions = useActions();
  const [found, setFound] = useState<string | null>(null);
  const ready = hub.state === "ready";
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hub is another object with every thread that it lists
  useEffect(() => {
    if (!ready || cwd === "") return;
    let stale = false;
    void isRepository(actions, hub, cwd).then((is) => stale || setFound(is ? cwd : null));
    return () => {
      stale = true;
    };
  }, [actions, hub.id, hub.epoch, ready, cwd]);
  if (found !== cwd) return null;
  return (
    <Switch label={worktreeWords.newThread} title={worktreeWords.newThreadHint} checked={apart} onChange={onApart} />
  );
}

/** True for a folder in a repository: it or one above it has a `.git`. */
export async function isRepository(actions: Actions, hub: HubView, cwd: string): Promise<boolean> {
  const parts = cwd.split("/");
  const folders = parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
  for (const folder of folders) {
    const there = await lookAt(actions, hub, `${folder}/.git`);
    if (there === "folder" || there === "file") return true;
    if (there === "unknown") return false;
  }
  return false;
}

interface Beginning {
  readonly hub: HubView;
  readonly cwd: string;
  readonly input: readonly UserInput[];
}

/** Makes a worktree that is named for a first message; resolves with its folder. */
export async function newWorktree(actions: Actions, { hub, cwd, input }: Beginning): Promise<string> {
  const { createWorktree } = await import("../worktrees/worktrees.ts");
  const title = input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
  const run = scriptRunner((params) => actions.exec(hub.id, params), cwd);
  return createWorktree(run, title, false);
}
