import {
  Archive,
  BellRing,
  GitFork,
  Keyboard,
  MessageSquare,
  PanelLeft,
  PanelRight,
  Plus,
  Scissors,
  Settings,
  Square,
  SquareTerminal,
} from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { navigate, newHref, threadHref } from "../navigation/routes.ts";
import { CommandPalette, type PaletteEntry } from "../palette/index.ts";
import { keysOf } from "../side-panel/index.ts";
import { messageOf, type ThreadSummary, useActions, useStore } from "../state/index.ts";
import { folderName, threadTitle } from "../state/thread-title.ts";
import { appWords, attentionWords } from "../words/words.ts";

/** Commands of the palette besides threads; each is offered only where it can be done. */
export interface PaletteCommands {
  readonly sidebar: () => void;
  readonly next: () => void;
  readonly settings: () => void;
  readonly overview: () => void;
  readonly panel: (() => void) | null;
  readonly terminal: (() => void) | null;
  readonly stop: (() => void) | null;
}

interface PaletteProps {
  readonly current: ThreadSummary | null;
  readonly commands: PaletteCommands;
  readonly onClose: () => void;
}

/** The command palette, filled with the threads and with what can be done here and now. */
export function Palette({ current, commands, onClose }: PaletteProps): ReactNode {
  const actions = useActions();
  const threads = useStore((state) => state.threads);
  const entries = useMemo(() => {
    const attempt = (work: Promise<unknown>): void => {
      work.catch((error: unknown) => actions.toast("error", messageOf(error)));
    };
    const entry = (
      label: string,
      onSelect: (() => void) | null,
      look: Pick<PaletteEntry, "icon" | "shortcut">,
    ): readonly PaletteEntry[] =>
      onSelect === null ? [] : [{ id: label, label, group: appWords.actions, onSelect, ...look }];
    const key = current?.key ?? null;
    return [
      ...entry(appWords.newThread, () => navigate(newHref(key?.hub ?? null, current?.cwd ?? null)), {
        icon: <Plus size={16} />,
      }),
      ...entry(attentionWords.next, commands.next, { icon: <BellRing size={16} />, shortcut: keysOf("next") }),
      ...entry(appWords.stopTurn, commands.stop, { icon: <Square size={16} />, shortcut: keysOf("stop") }),
      ...entry(appWords.showHideTerminal, commands.terminal, {
        icon: <SquareTerminal size={16} />,
        shortcut: keysOf("terminal"),
      }),
      ...entry(appWords.showHidePanel, commands.panel, { icon: <PanelRight size={16} /> }),
      ...entry(appWords.showHideSidebar, commands.sidebar, {
        icon: <PanelLeft size={16} />,
        shortcut: keysOf("sidebar"),
      }),
      ...(key === null
        ? []
        : [
            ...entry(appWords.forkThread, () => attempt(actions.fork(key).then((fork) => navigate(threadHref(fork)))), {
              icon: <GitFork size={16} />,
            }),
            ...entry(appWords.compactThread, () => attempt(actions.compact(key)), { icon: <Scissors size={16} /> }),
            ...entry(appWords.archiveThread, () => attempt(actions.archive(key).then(() => navigate(newHref()))), {
              icon: <Archive size={16} />,
            }),
          ]),
      ...entry(appWords.settings, commands.settings, { icon: <Settings size={16} />, shortcut: keysOf("settings") }),
      ...entry(appWords.keyboardShortcuts, commands.overview, {
        icon: <Keyboard size={16} />,
        shortcut: keysOf("overview"),
      }),
      ...[...threads.values()]
        .filter(({ archived }) => !archived)
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
        .map(
          (thread): PaletteEntry => ({
            id: threadHref(thread.key),
            label: threadTitle(thread),
            detail: folderName(thread.cwd),
            group: appWords.threads,
            icon: <MessageSquare size={16} />,
            onSelect: () => navigate(threadHref(thread.key)),
          }),
        ),
    ];
  }, [actions, threads, current, commands]);
  return <CommandPalette entries={entries} onClose={onClose} />;
}
