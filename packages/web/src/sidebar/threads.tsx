import { type ReactNode, useMemo } from "react";
import { usePreferences } from "../side-panel/index.ts";
import { useStore } from "../state/react.tsx";
import { attentionWords as words } from "../words/words.ts";
import { arrange } from "./arrange.ts";
import type { ThreadNode } from "./group-threads.ts";
import { HubSection } from "./hub-section.tsx";
import { useNotes } from "./thread-notes.ts";
import { ThreadTree } from "./thread-row.tsx";

interface ThreadsProps {
  /** `keyText` of the thread in view. */
  readonly current: string | null;
  readonly home: string | null;
  readonly nowMs: number;
}

/** The threads of all servers: those that need the user, those that are pinned, and the others. */
export function Threads({ current, home, nowMs }: ThreadsProps): ReactNode {
  const hubs = useStore((state) => state.hubs);
  const threads = useStore((state) => state.threads);
  const notes = useNotes();
  const oneList = usePreferences().threadList === "recent";
  const arranged = useMemo(
    () => arrange({ hubs, threads, current, notes, nowMs }),
    [hubs, threads, current, notes, nowMs],
  );
  const group = (title: string, nodes: readonly ThreadNode[]): ReactNode =>
    nodes.length > 0 && (
      <section className="sidebar-group" aria-label={title}>
        <h2 className="sidebar-group-title">{title}</h2>
        <ThreadTree nodes={nodes} current={current} nowMs={nowMs} />
      </section>
    );
  return (
    <>
      {group(words.needsYou, arranged.needs)}
      {group(words.pinned, arranged.pinned)}
      {oneList && group(words.allThreads, arranged.recent)}
      {arranged.hubs.map(({ hub, groups, empty }) => (
        <HubSection
          key={hub.id}
          hub={hub}
          groups={oneList ? [] : groups}
          empty={empty}
          current={current}
          home={home}
          nowMs={nowMs}
        />
      ))}
    </>
  );
}
