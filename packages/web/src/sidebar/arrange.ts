import { type HubView, keyText, type ThreadSummary } from "../state/model.ts";
import { type FolderGroup, flatten, groupThreads, type ThreadNode } from "./group-threads.ts";
import type { ThreadNotes } from "./thread-notes.ts";

/** Threads as the sidebar shows them: those that need the user, those that are pinned, the others. */
export interface Arrangement {
  readonly needs: readonly ThreadNode[];
  readonly pinned: readonly ThreadNode[];
  /** The others by hub and folder, or all in one list. */
  readonly hubs: readonly { readonly hub: HubView; readonly groups: readonly FolderGroup[]; readonly empty: boolean }[];
  /** The others of all hubs, newest first. */
  readonly recent: readonly ThreadNode[];
}

/** Options of {@link arrange}. */
export interface ArrangeOptions {
  readonly hubs: readonly HubView[];
  readonly threads: ReadonlyMap<string, ThreadSummary>;
  /** `keyText` of the thread in view, which stays where it is. */
  readonly current: string | null;
  readonly notes: ThreadNotes;
  readonly nowMs: number;
}

/** Arranges the threads of all hubs. Each is in one place only. */
export function arrange({ hubs, threads, current, notes, nowMs }: ArrangeOptions): Arrangement {
  const pins = new Set(notes.pinned);
  const isPinned = ({ thread }: ThreadNode): boolean => pins.has(keyText(thread.key));
  const isNeeding = (node: ThreadNode): boolean => {
    const key = keyText(node.thread.key);
    return key !== current && !((notes.snoozed[key] ?? 0) > nowMs) && needsUser(node);
  };
  const grouped = hubs.map((hub) => {
    const listedHere = listed(hub, threads);
    return { hub, groups: groupThreads(listedHere), empty: listedHere.length === 0 };
  });
  const nodes = grouped.flatMap(({ groups }) => groups.flatMap((group) => group.nodes));
  const isOther = (node: ThreadNode): boolean => !isNeeding(node) && !isPinned(node);
  return {
    needs: nodes.filter(isNeeding).toSorted((a, b) => urgency(b) - urgency(a) || newestFirst(a, b)),
    pinned: nodes.filter((node) => isPinned(node) && !isNeeding(node)).toSorted(newestFirst),
    hubs: grouped.map(({ hub, groups, empty }) => ({
      hub,
      empty,
      groups: groups
        .map((group) => ({ ...group, nodes: group.nodes.filter(isOther) }))
        .filter((group) => group.nodes.length > 0),
    })),
    recent: nodes.filter(isOther).toSorted(newestFirst),
  };
}

/** All threads of an arrangement, in the order in which they are shown. */
export function inOrder({ needs, pinned, hubs, recent }: Arrangement, oneList: boolean): readonly ThreadSummary[] {
  const others = oneList ? [{ cwd: "", nodes: recent }] : hubs.flatMap(({ groups }) => groups);
  return flatten([{ cwd: "", nodes: [...needs, ...pinned] }, ...others]);
}

/** The listed threads of a hub, newest first. */
function listed(hub: HubView, threads: ReadonlyMap<string, ThreadSummary>): readonly ThreadSummary[] {
  return (hub.threads.value ?? []).flatMap((key) => threads.get(key) ?? []);
}

/** True for a thread that waits, or has news, and for one whose sub-agent waits. */
function needsUser({ thread, children }: ThreadNode): boolean {
  return thread.unread || waits({ thread, children });
}

function waits({ thread, children }: ThreadNode): boolean {
  return thread.status === "waiting" || children.some(waits);
}

/** Questions come before failures, and those before news. */
const urgency = (node: ThreadNode): number => (waits(node) ? 2 : node.thread.status === "failed" ? 1 : 0);

const newestFirst = (a: ThreadNode, b: ThreadNode): number => b.thread.updatedAt - a.thread.updatedAt;
