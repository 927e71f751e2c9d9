import { ListTree } from "lucide-react";
import type { ReactNode } from "react";
import { itemHref } from "../navigation/routes.ts";
import type { ThreadState } from "../state/model.ts";
import { Button, EmptyState, Visible } from "../ui/index.ts";
import { outlineWords as words } from "../words/words.ts";

interface OutlinePanelProps {
  readonly thread: ThreadState;
  readonly onLoadOlder: () => void;
}

/** Characters of a message that name its turn. */
const shownLength = 140;

/** The turns of a thread by what was asked in them, and by the headings of what was answered. */
export function OutlinePanel({ thread, onLoadOlder }: OutlinePanelProps): ReactNode {
  const { key } = thread.summary;
  const parts = thread.turns.map((turn) => ({ turn, entries: entriesOf(turn.itemIds, thread) }));
  if (parts.every(({ entries }) => entries.length === 0)) {
    return (
      <EmptyState icon={<ListTree size={24} />} title={words.none}>
        {words.noneHint}
      </EmptyState>
    );
  }
  return (
    <nav className="side-panel" aria-label={words.tab}>
      {thread.olderCursor !== null && (
        <Button size="small" variant="ghost" busy={thread.loadingOlder} onClick={onLoadOlder}>
          {words.older}
        </Button>
      )}
      <ol className="side-outline">
        {parts.map(({ turn, entries }) => (
          <li key={turn.id} className={`is-${turn.status}`}>
            {entries.map(({ id, text, level }) => (
              <a key={`${id} ${text}`} href={itemHref(key, id)} className={`side-outline-${level}`}>
                <Visible text={text} oneLine />
              </a>
            ))}
            {turn.status !== "completed" && <span className="side-note">{words.states[turn.status]}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface Entry {
  readonly id: string;
  readonly text: string;
  readonly level: "asked" | "heading";
}

function entriesOf(itemIds: readonly string[], { items }: ThreadState): readonly Entry[] {
  return itemIds.flatMap((id): readonly Entry[] => {
    const item = items.get(id)?.item;
    if (item?.type === "userMessage") {
      const text = item.content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
      return [{ id, text: short(text) || words.attachment, level: "asked" }];
    }
    if (item?.type !== "agentMessage") return [];
    const headings = [...item.text.matchAll(/^#{1,3} +(.+)$/gm)].slice(0, 20);
    return headings.map(([, heading = ""]) => ({ id, text: short(heading), level: "heading" }));
  });
}

const short = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= shownLength ? line : `${line.slice(0, shownLength)}…`;
};
