import { MessageSquareDashed, TriangleAlert } from "lucide-react";
import { type ReactNode, useLayoutEffect, useMemo, useState } from "react";
import { ItemContext } from "../items/item-context.ts";
import { itemHref } from "../navigation/routes.ts";
import { keyText, type PendingRequest, type ThreadState } from "../state/model.ts";
import { Button, EmptyState, Spinner } from "../ui/index.ts";
import { threadWords } from "../words/words.ts";
import "./thread.css";
import { ThreadLog } from "./thread-log.tsx";

/** Props of {@link ThreadView}. Functions should stay the same between renders. */
export interface ThreadViewProps {
  readonly thread: ThreadState;
  readonly onLoadOlder: () => void;
  /** Shows another thread of the same hub, e.g. a sub-agent's. */
  readonly onOpenThread?: ((threadId: string) => void) | undefined;
  readonly onRetry?: (() => void) | undefined;
  /** Name of a sub-agent by its thread. */
  readonly agentName?: ((threadId: string) => string | null) | undefined;
  /** Reads a file of the hub's machine, in base64. */
  readonly readFile?: ((path: string) => Promise<string>) | undefined;
  /** Goes back to before a turn; null where that cannot be done now. */
  readonly onUndo?: ((turnId: string) => void) | null | undefined;
  /** The card of a question of the server, which is shown where it was asked. */
  readonly renderRequest?: ((request: PendingRequest) => ReactNode) | undefined;
  /** Content of a thread without turns. */
  readonly empty?: ReactNode;
}

const nothing = (): null => null;

/** Narrower than this, two columns of code cannot be read. */
const splitWidth = 720;

/** The course of a thread. Fills the element around it, which must have a height. */
export function ThreadView(props: ThreadViewProps) {
  const { thread, onOpenThread, agentName, readFile, onLoadOlder, onUndo, renderRequest = nothing } = props;
  const { cwd } = thread.settings;
  const { key } = thread.summary;
  const commentsOf = keyText(key);
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const wide = useWide(element);
  const context = useMemo(
    () => ({
      cwd,
      openThread: onOpenThread ?? null,
      agentName: agentName ?? nothing,
      readFile: readFile ?? null,
      undo: onUndo ?? null,
      wide,
      commentsOf,
      linkTo: (item: string) => new URL(itemHref(key, item), location.href).href,
    }),
    [key, commentsOf, cwd, onOpenThread, agentName, readFile, onUndo, wide],
  );
  return (
    <ItemContext value={context}>
      <div ref={setElement} className="thread-view">
        {placeholder(props) ?? (
          <ThreadLog
            key={keyText(thread.summary.key)}
            thread={thread}
            renderRequest={renderRequest}
            onLoadOlder={onLoadOlder}
          />
        )}
      </div>
    </ItemContext>
  );
}

/** True for an element with room for two columns of code, also when a panel takes some of it. */
function useWide(element: HTMLElement | null): boolean {
  const [wide, setWide] = useState(false);
  useLayoutEffect(() => {
    if (element === null) return;
    const measure = (): void => setWide(element.clientWidth >= splitWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return wide;
}

function placeholder({ thread, onRetry, empty }: ThreadViewProps): ReactNode {
  if (thread.turns.length > 0 || thread.notices.length > 0 || thread.pending.length > 0) return null;
  if (thread.error !== null) {
    return (
      <EmptyState
        icon={<TriangleAlert size={20} />}
        title={threadWords.threadCouldNotOpened}
        action={onRetry !== undefined && <Button onClick={onRetry}>{threadWords.tryAgain}</Button>}
      >
        {thread.error}
      </EmptyState>
    );
  }
  if (thread.loading) {
    return (
      <div className="thread-loading">
        <Spinner label={threadWords.loadingThread} />
      </div>
    );
  }
  return (
    empty ?? (
      <EmptyState icon={<MessageSquareDashed size={20} />} title={threadWords.nothingYet}>
        {threadWords.writeWantDoneAgentWorks} {thread.settings.cwd || "its folder"}.
      </EmptyState>
    )
  );
}
