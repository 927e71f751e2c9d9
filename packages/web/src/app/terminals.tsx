import { type ReactNode, useEffect, useState } from "react";
import { TerminalDrawer } from "../side-panel/index.ts";
import { keyText, type ThreadKey, useActions, useStore } from "../state/index.ts";
import { ErrorBoundary } from "./error-boundary.tsx";

/** Terminals that are kept, of one thread each; the one that was opened longest ago ends first. */
const maxTerminals = 8;

interface TerminalsProps {
  /** The thread in view. */
  readonly current: ThreadKey | null;
  /** True while its terminal is shown. */
  readonly open: boolean;
  readonly onHide: () => void;
}

/** The terminals of threads. One that is hidden, or whose thread is out of view, goes on running. */
export function Terminals({ current, open, onHide }: TerminalsProps): ReactNode {
  const [kept, setKept] = useState<readonly ThreadKey[]>([]);
  const shown = current !== null && open ? keyText(current) : null;
  useEffect(() => {
    if (current === null || shown === null) return;
    setKept((before) =>
      before.some((key) => keyText(key) === shown) ? before : [...before, current].slice(-maxTerminals),
    );
  }, [current, shown]);
  const end = (ended: ThreadKey): void => {
    setKept((before) => before.filter((key) => key !== ended));
    onHide();
  };
  return kept.map((key) => (
    <Terminal
      key={keyText(key)}
      threadKey={key}
      hidden={keyText(key) !== shown}
      onHide={onHide}
      onEnd={() => end(key)}
    />
  ));
}

interface TerminalProps {
  readonly threadKey: ThreadKey;
  readonly hidden: boolean;
  readonly onHide: () => void;
  readonly onEnd: () => void;
}

function Terminal({ threadKey, hidden, onHide, onEnd }: TerminalProps): ReactNode {
  const actions = useActions();
  const [cwd] = useState(
    useStore(({ open, threads, gateway }) => {
      const key = keyText(threadKey);
      return open.get(key)?.settings.cwd || threads.get(key)?.cwd || gateway?.cwd || "/";
    }),
  );
  const ready = useStore((state) => state.hubs.find(({ id }) => id === threadKey.hub)?.state === "ready");
  return (
    <ErrorBoundary what="The terminal could not be shown">
      <div className="app-terminal" hidden={hidden}>
        <TerminalDrawer
          cwd={cwd}
          hidden={hidden}
          unavailable={ready ? null : "The server is not connected."}
          onOpen={(options) => actions.terminal(threadKey.hub, options)}
          onHide={onHide}
          onEnd={onEnd}
        />
      </div>
    </ErrorBoundary>
  );
}
