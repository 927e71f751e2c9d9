import { keyText, type ThreadSummary } from "../state/model.ts";

/** A thread with its sub-agents below it. */
export interface ThreadNode {
  readonly thread: ThreadSummary;
  readonly children: readonly ThreadNode[];
}

/** The threads of one folder. */
export interface FolderGroup {
  readonly cwd: string;
  readonly nodes: readonly ThreadNode[];
}

/**
 * Puts threads, newest first, under their folders, and sub-agents under their parents. A sub-agent whose parent is not
 * listed stands for itself, so that none is lost; folders come in the order of their newest thread.
 */
export function groupThreads(threads: readonly ThreadSummary[]): readonly FolderGroup[] {
  const ids = new Set(threads.map(({ key }) => key.thread));
  const children = new Map<string, ThreadSummary[]>();
  const roots: ThreadSummary[] = [];
  for (const thread of threads) {
    const { parent } = thread;
    if (parent === null || parent === thread.key.thread || !ids.has(parent)) roots.push(thread);
    else children.set(parent, [...(children.get(parent) ?? []), thread]);
  }
  const seen = new Set<string>();
  const node = (thread: ThreadSummary): ThreadNode => {
    seen.add(thread.key.thread);
    const below = (children.get(thread.key.thread) ?? []).filter(({ key }) => !seen.has(key.thread));
    // Sub-agents are read in the order in which they were started.
    return { thread, children: below.toSorted((a, b) => a.createdAt - b.createdAt).map(node) };
  };
  const folders = new Map<string, ThreadNode[]>();
  for (const root of roots) {
    const nodes = folders.get(root.cwd) ?? [];
    folders.set(root.cwd, nodes);
    nodes.push(node(root));
  }
  return [...folders].map(([cwd, nodes]) => ({ cwd, nodes }));
}

/** All threads of the groups in the order in which they are shown. */
export function flatten(groups: readonly FolderGroup[]): readonly ThreadSummary[] {
  const below = ({ thread, children }: ThreadNode): ThreadSummary[] => [thread, ...children.flatMap(below)];
  return groups.flatMap(({ nodes }) => nodes.flatMap(below));
}

/** The thread before or after one in a list; the first or last where it is not in it. */
export function neighbour(
  threads: readonly ThreadSummary[],
  current: string | null,
  step: 1 | -1,
): ThreadSummary | undefined {
  const at = threads.findIndex(({ key }) => keyText(key) === current);
  if (at < 0) return step === 1 ? threads[0] : threads.at(-1);
  return threads[at + step];
}
