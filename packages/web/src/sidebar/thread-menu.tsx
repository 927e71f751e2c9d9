import { AlarmClock, Archive, ArchiveRestore, Copy, Ellipsis, GitFork, Mail, Pencil, Pin } from "lucide-react";
import type { ReactNode } from "react";
import { navigate, newHref, threadHref } from "../navigation/routes.ts";
import { type Actions, keyText, messageOf, type ThreadSummary } from "../state/index.ts";
import { useActions } from "../state/react.tsx";
import { threadTitle } from "../state/thread-title.ts";
import { IconButton, Menu, type MenuItem, type MenuSection } from "../ui/index.ts";
import { sidebarWords, attentionWords as words } from "../words/words.ts";
import { readNotes, setPinned, setSnoozed } from "./thread-notes.ts";

interface ThreadMenuProps {
  readonly thread: ThreadSummary;
  /** True for the thread in view: archiving it must lead elsewhere. */
  readonly current: boolean;
  readonly onRename: () => void;
}

/** The menu of a thread. */
export function ThreadMenu({ thread, current, onRename }: ThreadMenuProps): ReactNode {
  const actions = useActions();
  return (
    <Menu
      label={sidebarWords.actionsForThread(threadTitle(thread))}
      align="end"
      sections={threadMenu(thread, { actions, current, onRename })}
      trigger={(props) => (
        <IconButton
          {...props}
          className="sidebar-kebab"
          label={sidebarWords.actionsForThread(threadTitle(thread))}
          icon={<Ellipsis size={16} />}
        />
      )}
    />
  );
}

/** The sections of a thread's menu, for the sidebar and for the thread's own header. */
export function threadMenu(
  thread: ThreadSummary,
  options: { readonly actions: Actions; readonly current: boolean; readonly onRename: () => void },
): readonly MenuSection[] {
  const { actions, current, onRename } = options;
  const { key } = thread;
  const text = keyText(key);
  const pinned = readNotes().pinned.includes(text);
  const offline = thread.status === "disconnected";
  const attempt = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => actions.toast("error", messageOf(error)));
  };
  const archive = async (): Promise<void> => {
    await actions.archive(key);
    if (current) navigate(newHref(key.hub, thread.cwd));
  };
  const fork = async (): Promise<void> => navigate(threadHref(await actions.fork(key)));
  const copy = async (): Promise<void> => {
    // Browsers give it to pages on https and on this machine only.
    if (!("clipboard" in navigator)) throw new Error(sidebarWords.pageMayNotCopyThreads(key.thread));
    await navigator.clipboard.writeText(key.thread);
    actions.toast("info", sidebarWords.threadIdCopied);
  };
  return [
    {
      items: [
        { id: "rename", label: sidebarWords.rename, icon: <Pencil size={16} />, disabled: offline, onSelect: onRename },
        {
          id: "fork",
          label: sidebarWords.fork,
          icon: <GitFork size={16} />,
          disabled: offline,
          onSelect: () => attempt(fork()),
        },
        {
          id: "unread",
          label: thread.unread ? sidebarWords.markRead : sidebarWords.markUnread,
          icon: <Mail size={16} />,
          onSelect: () => actions.setUnread(key, !thread.unread),
        },
        {
          id: "pin",
          label: pinned ? words.unpin : words.pin,
          icon: <Pin size={16} />,
          onSelect: () => setPinned(text, !pinned),
        },
        ...snoozeItems(text),
        { id: "copy", label: sidebarWords.copyThreadId, icon: <Copy size={16} />, onSelect: () => attempt(copy()) },
      ],
    },
    {
      items: [
        thread.archived
          ? {
              id: "unarchive",
              label: sidebarWords.unarchive,
              icon: <ArchiveRestore size={16} />,
              disabled: offline,
              onSelect: () => attempt(actions.unarchive(key)),
            }
          : {
              id: "archive",
              label: sidebarWords.archive,
              icon: <Archive size={16} />,
              disabled: offline,
              onSelect: () => attempt(archive()),
            },
      ],
    },
  ];
}

const hourMs = 3_600_000;

function snoozeItems(key: string): readonly MenuItem[] {
  const icon = <AlarmClock size={16} />;
  if ((readNotes().snoozed[key] ?? 0) > Date.now())
    return [{ id: "unsnooze", label: words.unsnooze, icon, onSelect: () => setSnoozed(key, null) }];
  return [
    { id: "hour", label: words.snoozeHour, icon, onSelect: () => setSnoozed(key, Date.now() + hourMs) },
    { id: "day", label: words.snoozeDay, icon, onSelect: () => setSnoozed(key, tomorrow()) },
  ];
}

/** Tomorrow at eight in the morning. */
function tomorrow(): number {
  const day = new Date();
  day.setDate(day.getDate() + 1);
  return day.setHours(8, 0, 0, 0);
}
